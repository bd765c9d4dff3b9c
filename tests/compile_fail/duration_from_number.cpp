// error: conversion from .* to non-scalar|no viable conversion
// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/money.hpp"
#include "ebb/units/ratio.hpp"
using namespace ebb;
Duration d = 5;
