import { readFileSync } from 'node:fs';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { lintRules } from '../../../analysis/lint/finding.ts';
import { findingRules } from '../../../explain/findings/finding.ts';
import { packageFile } from '../package-file.ts';

interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly read: () => string;
}

/** `files` of package.json lists these pages. */
const page = (name: string, description: string): Resource => ({
  uri: `kadmit://docs/${name}`,
  name,
  description,
  mimeType: 'text/markdown',
  read: () => readFileSync(packageFile(`docs/reference/${name}.md`), 'utf8'),
});

const json = (uri: string, name: string, description: string, read: () => string): Resource => ({
  uri,
  name,
  description,
  mimeType: 'application/json',
  read,
});

export const resources = (): readonly Resource[] => [
  json('kadmit://schemas/scenario', 'scenario schema', 'JSON schema of a scenario.yaml', () =>
    readFileSync(packageFile('docs/reference/scenario.schema.json'), 'utf8'),
  ),
  json('kadmit://findings', 'findings', 'Codes of the findings of explain', () =>
    JSON.stringify(findingRules, null, 1),
  ),
  json('kadmit://lint-rules', 'lint rules', 'Codes of the rules of lint', () => JSON.stringify(lintRules, null, 1)),
  page('scenario-format', 'The format of scenarios, with examples'),
  page('findings', 'What each finding of explain means and how to fix it'),
  page('lint', 'What each rule of lint means and how to fix it'),
  page('explain', 'How to read an explanation'),
];

/** Throws ConfigError for an unknown URI. */
export function readResource(uri: string): { readonly uri: string; readonly mimeType: string; readonly text: string } {
  const all = resources();
  const found = all.find((one) => one.uri === uri);
  if (!found)
    throw new ConfigError(
      `there is no resource ${JSON.stringify(uri)}; there is ${all.map((one) => one.uri).join(', ')}`,
    );
  return { uri, mimeType: found.mimeType, text: found.read() };
}
