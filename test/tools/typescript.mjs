// node --import ./test/tools/typescript.mjs FILE.ts: runs TypeScript as it stands, which Node 20 cannot by itself.
import { register } from 'node:module';

register(new URL('typescript-hooks.mjs', import.meta.url));
