import { importFiles } from '../../testing/imports/import-files.ts';
import { writeScenarios } from '../../testing/imports/write-scenarios.ts';

/** A test of another tool, and the scenarios that say the same. */
export interface Imported {
  readonly name: string;
  /** The file or folder it was read from. */
  readonly from: string;
  /** What could not be carried over, or only with a change. */
  readonly notes: readonly string[];
  /** The files of each scenario by their names, `scenario.yaml` among them. */
  readonly scenarios: readonly { readonly name: string; readonly files: Readonly<Record<string, string>> }[];
}

/** Scenarios of the tests in these files and folders: what `kadmit import` writes. Throws ConfigError for what cannot be read. */
export function importTests(
  paths: readonly string[],
  { load = [] }: { readonly load?: readonly string[] } = {},
): readonly Imported[] {
  return importFiles(paths, load).map((test) => ({
    name: test.name,
    from: test.from,
    notes: test.notes,
    scenarios: writeScenarios(test).map(({ name, files }) => ({ name, files: Object.fromEntries(files) })),
  }));
}
