import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { portablePath } from '../../../adapters/files/portable-files.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { type ReportedFinding, runFindings, tracedFindingsOf } from './findings.ts';
import type { TestRun } from './test-run.ts';

/** A result per failure, and per finding in the traces. */
export const sarifReport = (run: TestRun, about: SarifAbout): string =>
  sarifOf([...runFindings(run), ...tracedFindingsOf(run)], { ...about, descriptionOf });

export interface SarifAbout {
  readonly version: string;
  /** Paths are relative to it. */
  readonly folder: string;
}

export function sarifOf(
  findings: readonly ReportedFinding[],
  { version, folder, descriptionOf: describe }: SarifAbout & { readonly descriptionOf: (rule: string) => string },
): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  const document = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'kadmit',
            version,
            rules: rules.map((id) => ({ id, shortDescription: { text: describe(id) } })),
          },
        },
        results: findings.map((finding) => toResult(finding, { index: rules.indexOf(finding.rule), folder })),
        columnKind: 'utf16CodeUnits',
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function descriptionOf(rule: string): string {
  if (rule === 'format') return 'A scenario has to be readable';
  if (rule === 'set-up') return 'What a scenario loads has to be stored';
  if (rule.startsWith('finding/'))
    return `What a request shows: docs/reference/findings.md#${rule.slice('finding/'.length)}`;
  return `A step has to show what its expectation ${rule} says`;
}

const toResult = (
  { rule, level = 'error', title, message, place }: ReportedFinding,
  { index, folder }: { readonly index: number; readonly folder: string },
): JsonObject => ({
  ruleId: rule,
  ruleIndex: index,
  level,
  message: { text: `${title}\n${message}` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: uriOf(place.file, folder) },
        region: { startLine: place.line, startColumn: place.column },
      },
    },
  ],
});

/** Relative where possible: others have the repository elsewhere. */
export function uriOf(file: string, folder: string, paths: typeof path = path): string {
  if (/^https?:\/\//.test(file)) return file; // What a server holds stands in no file.
  const relativePath = paths.isAbsolute(file) ? paths.relative(folder, file) : file;
  if (relativePath.startsWith('..') || paths.isAbsolute(relativePath))
    return pathToFileURL(file, { windows: paths.sep === '\\' }).href;
  return portablePath(relativePath, paths).split('/').map(encodeURIComponent).join('/');
}
