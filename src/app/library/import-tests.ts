import { importFiles } from '../../testing/imports/import-files.ts';
import { writeScenarios } from '../../testing/imports/write-scenarios.ts';

/** A test of another tool as scenarios. */
export interface Imported {
  readonly name: string;
  /** The file or folder it was read from. */
  readonly from: string;
  /** What is left out or changed. */
  readonly notes: readonly string[];
  /** The files of each scenario by their names, `scenario.yaml` among them. */
  readonly scenarios: readonly { readonly name: string; readonly files: Readonly<Record<string, string>> }[];
}

/** The scenarios that `kadmit import` writes. Throws ConfigError for an unreadable file. */
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
