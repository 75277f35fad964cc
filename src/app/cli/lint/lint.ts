import { ConfigError } from '../../../adapters/config/config-error.ts';
import { choiceFlag, readNames, repeatedFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { Flag } from '../../../adapters/config/flags/flags.ts';
import { type LintFinding, lintRules, lintSeverities, type LintSeverity } from '../../../analysis/lint/finding.ts';
import { lint, readIgnoreComments, type LintResult } from '../../../analysis/lint/lint.ts';
import { certificateChecks } from '../../../analysis/lint/rules/certificates.ts';
import { createPage, type Style } from '../../../explain/render/explain-page.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import { yamlText } from '../../../testing/scenario/expect/text.ts';
import { placeText, problemLines } from '../../../testing/scenario/read/problems.ts';
import type { ReportedFinding } from '../../../testing/scenario/report/findings.ts';
import { githubLines } from '../../../testing/scenario/report/github.ts';
import { sarifOf } from '../../../testing/scenario/report/sarif.ts';
import { defineCommand } from '../command.ts';
import { version } from '../package-file.ts';
import { exitCodes, type Io, structured } from '../terminal/io.ts';
import { ownTerminal, type Terminal } from '../terminal/terminal.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { type ServerAccess, fetchObjects } from '../../../adapters/config/kubeconfig/call-server.ts';
import {
  type LintObject,
  readLintText,
  type LintInput,
  createServedObject,
} from '../../../analysis/lint/model/lint-object.ts';
import { readLintFiles } from '../../../analysis/lint/read-objects.ts';
import { readBoundedFile } from '../../../adapters/files/bounded-file.ts';
import { asKubernetesObject } from '../../../machinery/meta/object.ts';
import { countText } from '../../../machinery/lists.ts';

const outputs = ['text', 'json', 'yaml', 'sarif', 'github'] as const;
type LintOutput = (typeof outputs)[number];
const failOnLevels = ['error', 'warning', 'note', 'never'] as const;

const ignoreFlag: Flag<readonly string[]> = {
  name: 'ignore',
  argument: 'RULE,...',
  help: 'rules to skip',
  fallback: [],
  read: readNames,
};

/** `kadmit lint PATH…`: faults of webhook configurations and policies; exit code 1 when there are any. */
export const lintCommand = defineCommand({
  name: 'lint',
  group: 'Analyze',
  synopsis: ['PATH... [FLAGS]', '- [FLAGS]', '--kubeconfig FILE [FLAGS]'],
  purpose: 'find faults in webhook configurations and policies',
  details: [
    'Checks webhook configurations, policies and bindings together with the Services, workloads, Namespaces, Secrets and ' +
      'CustomResourceDefinitions among the files. docs/reference/lint.md describes each rule. PATH - reads standard input.',
    'The comment "# kadmit-ignore: RULE", after a field or on the line before its parent, suppresses a finding.',
    'Exit codes: 0 no finding, 1 findings (--fail-on), 2 a file cannot be read.',
  ],
  flags: {
    filename: { ...repeatedFlag('filename', 'PATH', 'file or folder to check, like PATH'), short: 'f' },
    kubeconfig: textFlag('kubeconfig', 'FILE', 'also check the objects of this server'),
    output: { ...choiceFlag<LintOutput>('output', outputs, 'output format', 'text'), short: 'o' },
    failOn: choiceFlag<(typeof failOnLevels)[number]>(
      'fail-on',
      failOnLevels,
      'exit code 1 from this severity on',
      'warning',
    ),
    ignore: ignoreFlag,
  },
  positionals: { name: 'PATH', complete: [{ type: 'files' }] },
  examples: ['lint config/', 'lint --kubeconfig .kadmit/kubeconfig -o sarif'],
  run: async ({ args, options: { filename, kubeconfig, output, failOn, ignore } }, io) => {
    const servedPaths = [...filename, ...args];
    if (servedPaths.length === 0 && kubeconfig === '')
      throw new ConfigError('at least one PATH or --kubeconfig is required');
    const unknown = ignore.find((rule) => !lintRules.some((one) => one === rule));
    if (unknown !== undefined)
      throw new ConfigError(
        `--ignore: unknown rule ${unknown}${didYouMean(unknown, lintRules) || '; docs/reference/lint.md has the rules'}`,
      );
    const { objects, problems, texts } = await readLintInput(servedPaths, kubeconfig);
    for (const line of problemLines(problems)) io.error(line);
    const comments = readIgnoreComments(texts);
    const result = lint(objects, {
      certificates: certificateChecks,
      isWhole: kubeconfig !== '',
      now: Date.now(),
      ignores: (rule, places) => ignore.includes(rule) || comments(rule, places),
    });
    await printResult(result, objects.length, output, io);
    if (problems.length > 0) return exitCodes.usage;
    const limit = failOn === 'never' ? -1 : lintSeverities.indexOf(failOn);
    const isFailed = result.findings.some(({ severity }) => lintSeverities.indexOf(severity) <= limit);
    return isFailed ? exitCodes.failed : exitCodes.fine;
  },
});

async function printResult(result: LintResult, looked: number, output: LintOutput, io: Io): Promise<void> {
  const { out } = io;
  const document = lintDocument(result, looked);
  io.document?.(document);
  const findings = result.findings.map(reportedFinding);
  switch (output) {
    case 'text':
      return out(lintText(result, looked, ownTerminal()));
    case 'json':
    case 'yaml':
      return out(await structured(output, JSON.stringify(document, null, 2)));
    case 'github':
      return findings.length === 0 ? undefined : out(githubLines(findings).trimEnd());
    case 'sarif':
      return out(
        sarifOf(findings, {
          version: version(),
          folder: process.cwd(),
          descriptionOf: (rule) => `docs/reference/lint.md#${rule}`,
        }).trimEnd(),
      );
  }
}

/** What `kadmit lint -o json` prints; docs/reference/lint.schema.json describes it. */
export const lintDocument = ({ findings, ignored }: LintResult, looked: number): object => ({
  lintVersion: 1,
  objects: looked,
  ignored,
  findings: findings.map(({ place, ...finding }) => ({
    ...finding,
    file: place.file,
    line: place.line,
    column: place.column,
  })),
});

export const reportedFinding = ({
  rule,
  severity,
  title,
  harm,
  remedy,
  patch,
  object,
  place,
}: LintFinding): ReportedFinding => ({
  rule,
  level: severity,
  title: `${object}: ${rule}`,
  message: [title, harm, remedy, ...(Object.keys(patch).length === 0 ? [] : [yamlText(patch).trimEnd()])].join('\n'),
  place,
});

const styles: Readonly<Record<LintSeverity, Style>> = { error: 'bad', warning: 'warn', note: 'quiet' };

/** `looked` is the number of objects. */
export function lintText({ findings, ignored }: LintResult, looked: number, terminal: Terminal): string {
  const page = createPage(terminal);
  for (const [finding, ...others] of groupSimilar(findings)) {
    findingLines(finding, others).forEach(([text, style, indent]) => page.item(text, style, indent));
    if (Object.keys(finding.patch).length > 0) {
      for (const line of yamlText(finding.patch).trimEnd().split('\n')) page.line(`      ${line}`, 'quiet');
    }
    page.line('');
  }
  page.line(summaryText(findings, ignored, looked), findings.length === 0 ? 'good' : 'strong');
  return page.text();
}

type SimilarFindings = readonly [LintFinding, ...LintFinding[]];

const webhookTitlePattern = /^webhook (\S+) /;

/** Groups findings about several webhooks with the same text and nothing to apply, such as a missing Service. */
function groupSimilar(findings: readonly LintFinding[]): readonly SimilarFindings[] {
  const groups = new Map<string, [LintFinding, ...LintFinding[]]>();
  for (const [at, finding] of findings.entries()) {
    const { rule, severity, title, harm, patch } = finding;
    const isOwn = Object.keys(patch).length > 0 || !webhookTitlePattern.test(title);
    const key = isOwn ? String(at) : [rule, severity, harm, title.replace(webhookTitlePattern, '')].join('\n');
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()];
}

const webhookNameIn = ({ title }: LintFinding): string => webhookTitlePattern.exec(title)?.[1] ?? title;

/** Objects of a server have no line. */
const locationText = ({ place }: LintFinding): string => (/^https?:/.test(place.file) ? place.file : placeText(place));

type FindingLines = readonly (readonly [text: string, style: Style, indent: number])[];

const findingLines = (finding: LintFinding, others: readonly LintFinding[]): FindingLines => [
  [`${locationText(finding)}: ${finding.severity} ${finding.rule}: ${finding.title}`, styles[finding.severity], 0],
  [`in ${finding.object}${finding.field === '' ? '' : `, ${finding.field}`}`, 'quiet', 2],
  ...(others.length === 0 ? [] : [[`also: ${others.map(webhookNameIn).join(', ')}`, 'quiet', 2] as const]),
  [`harm: ${finding.harm}`, 'quiet', 2],
  [`fix: ${finding.remedy}`, 'quiet', 2],
];

function summaryText(findings: readonly LintFinding[], ignored: number, looked: number): string {
  const counts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const count = findings.filter((one) => one.severity === severity).length;
    return count === 0 ? [] : [countText(count, severity)];
  });
  const quiet = ignored === 0 ? '' : ` (${ignored} ignored)`;
  return `${countText(looked, 'object')}: ${counts.join(', ') || 'no findings'}${quiet}`;
}

/**
 * The objects of files and folders (`-`: standard input), and of the server of a kubeconfig; '' is none. Unreadable files are among the
 * problems. Rejects with ConfigError for an unreachable server.
 */
export async function readLintInput(paths: readonly string[], kubeconfig: string): Promise<LintInput> {
  const files = readLintFiles(paths.filter((path) => path !== '-'));
  const given = paths.includes('-') ? readLintText('stdin', readBoundedFile(0)) : undefined;
  const served = kubeconfig === '' ? [] : await fetchLintObjects(await readKubeconfig(kubeconfig));
  return {
    objects: [...files.objects, ...(given?.objects ?? []), ...served],
    texts: new Map([...files.texts, ...(given?.texts ?? [])]),
    problems: [...files.problems, ...(given?.problems ?? [])],
  };
}

const registration = '/apis/admissionregistration.k8s.io/v1';

/** The configurations and policies of admission, and the resources that webhooks need. Secrets are not read. */
const paths: readonly string[] = [
  `${registration}/mutatingwebhookconfigurations`,
  `${registration}/validatingwebhookconfigurations`,
  `${registration}/mutatingadmissionpolicies`,
  `${registration}/mutatingadmissionpolicybindings`,
  `${registration}/validatingadmissionpolicies`,
  `${registration}/validatingadmissionpolicybindings`,
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/apiregistration.k8s.io/v1/apiservices',
  '/api/v1/namespaces',
  '/api/v1/services',
  '/api/v1/configmaps',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/daemonsets',
  '/apis/apps/v1/statefulsets',
  '/apis/discovery.k8s.io/v1/endpointslices',
  '/apis/networking.k8s.io/v1/networkpolicies',
];

/** Rejects with ConfigError for a server that cannot be reached or refuses. */
async function fetchLintObjects(access: ServerAccess): Promise<readonly LintObject[]> {
  const objects = await fetchObjects(access, paths);
  return objects.flatMap((object) => {
    const one = asKubernetesObject(object);
    return one === undefined ? [] : [createServedObject(one, access.url)];
  });
}
