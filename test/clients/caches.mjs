import { homedir } from 'node:os';
import { join } from 'node:path';

/** What takes long to be had and is kept from run to run. */
export const caches = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'kadmit-clients');
