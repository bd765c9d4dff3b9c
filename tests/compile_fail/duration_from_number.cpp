// error: conversion from .* to non-scalar|no viable conversion
// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"
using namespace ebb;
Duration d = 5;
