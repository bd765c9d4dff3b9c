// SPDX-License-Identifier: Apache-2.0
//
// The tables of a results file, and how a file is told from others. docs/results.md describes each
// column; a change here is a new kSchemaVersion.
#pragma once

#include "database.hpp"

namespace ebb::results {

// Makes the tables in an empty file. Throws DatabaseError for a file of another program or of
// another version of the schema.
void prepare_to_write(const Database& database);

// Throws likewise, and for an empty file.
void check_schema(const Database& database);

}  // namespace ebb::results
