import type { WorldRequest } from '../world.ts';

/** The owner of the fields that a step writes, unless it names another. */
const fieldManager = 'kadmit-test';

/** The query of a write. A manifest is checked strictly, as kubectl does it; a patch as the server does it. */
export const writeQuery = (
  dryRun: boolean,
  { manager = fieldManager, strict }: { readonly manager?: string | undefined; readonly strict: boolean },
): NonNullable<WorldRequest['query']> => ({
  fieldManager: manager,
  ...(strict ? { fieldValidation: 'Strict' } : {}),
  ...(dryRun ? { dryRun: 'All' } : {}),
});
