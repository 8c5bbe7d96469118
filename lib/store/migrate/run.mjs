// `npm run migrations -- …`
import { runProgram } from '../../cli/build.mjs';

await runProgram('migrations');
