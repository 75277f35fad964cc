import type { LintFinding } from '../../../analysis/lint/finding.ts';
import type { LintResult } from '../../../analysis/lint/lint.ts';
import { yamlText } from '../../../testing/scenario/expect/yaml-text.ts';
import type { Finding } from '../../../testing/scenario/report/findings.ts';

/** What `kadmit lint -o json` prints; docs/lint.schema.json describes it. */
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

/** A finding as reports that point at lines take it. */
export const reportedFinding = ({
  rule,
  severity,
  title,
  harm,
  remedy,
  patch,
  object,
  place,
}: LintFinding): Finding => ({
  rule,
  level: severity,
  title: `${object}: ${rule}`,
  message: [title, harm, remedy, ...(Object.keys(patch).length === 0 ? [] : [yamlText(patch).trimEnd()])].join('\n'),
  place,
});
