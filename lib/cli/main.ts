/**
 * PLACEHOLDER until the command line is written: says how it will be used and that
 * nothing was started.
 */
process.stderr.write('usage: pilothouse <command> [options]\n\nNo command is available in this build.\n');
process.exitCode = 64;
