// `npm run bench`
import { runProgram } from '../../cli/build.mjs';

await runProgram('bench');
