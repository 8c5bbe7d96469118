// `npm run migrations -- …`
import { runProgram } from './build.mjs';

await runProgram('migrations');
