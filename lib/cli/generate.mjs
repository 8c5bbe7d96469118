// `npm run generate`
import { ensureClient } from './build.mjs';

console.log((await ensureClient()) ? 'lib/generated is written' : 'lib/generated is up to date');
