#!/usr/bin/env node
// The command `pilothouse`. Works from any folder and through symbolic links: it
// finds everything from its own place.
import { runProgram } from './build.mjs';

await runProgram('main');
