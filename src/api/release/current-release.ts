import { createRelease } from './create-release.ts';
import { currentTables } from './current-tables.ts';

/** The default release. */
export const currentRelease = createRelease(currentTables);
