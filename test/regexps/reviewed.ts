/** A regular expression whose time is not linear, or that is only known at run time. */
export interface Reviewed {
  readonly file: string;
  /** Its source text. */
  readonly code: string;
  /** The reason why no input of a client, a webhook, a file or a scenario makes it slow. */
  readonly reason: string;
}

/** Sorted by file. A row that no longer matches an expression fails its test. */
export const reviewed: readonly Reviewed[] = [
  {
    file: 'src/app/cli/test/test-flags.ts',
    code: "new RegExp(escapeRegExp(text), 'i')",
    reason: 'a text of the command line without any special character',
  },
  {
    file: 'src/app/cli/test/test-flags.ts',
    code: 'new RegExp(source, flags)',
    reason: 'an expression of the command line, for the names of scenarios',
  },
  {
    file: 'src/api/crd/openapi/paths.ts',
    code: '/(?:^|[^a-zA-Z0-9_]+)([a-zA-Z0-9_])/g',
    reason: 'a group, a version or a kind that validation has accepted: at most 253 characters',
  },
  {
    file: 'src/explain/render/explain-page.ts',
    code: "new RegExp(`${String.fromCharCode(27)}\\\\[\\\\d+m`, 'g')",
    reason: 'the part that is not known is one character',
  },
  {
    file: 'src/testing/scenario/read/expectation.ts',
    code: 'new RegExp(escapeRegExp(scalarText(contains)))',
    reason: 'a text without any special character',
  },
  {
    file: 'src/testing/scenario/read/expectation.ts',
    code: 'new RegExp(source, flags)',
    reason: 'an expression that the author of a scenario wrote for the answers that it gets: it runs in no server',
  },
  {
    file: 'src/api/messages/older-error-details.ts',
    code: 'new RegExp(`\\\\.(?:x-kubernetes-validations|validations)\\\\[\\\\d+\\\\]\\\\.${field}$`)',
    reason: 'the part that is not known is the name of a field in the same file',
  },
  {
    file: 'src/api/messages/older-error-details.ts',
    code: 'new RegExp(`^metadata\\\\.ownerReferences(?:\\\\[\\\\d+\\\\])?\\\\.${field}$`)',
    reason: 'the part that is not known is the name of a field in the same file',
  },
  {
    file: 'src/api/messages/older-error-details.ts',
    code: 'new RegExp(`\\\\.${field}$`)',
    reason: 'the part that is not known is the name of a field in the same file',
  },
  {
    file: 'src/adapters/traces/trace-file.ts',
    code: 'new RegExp(`<script type="([^"]+)" id="${embeddedId}">([^<]*)</script>`)',
    reason: 'the part that is not known is a constant of another file',
  },
  {
    file: 'src/adapters/webhook-client/ca-bundle.ts',
    code: String.raw`/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g`,
    reason: 'the authorities that this machine trusts',
  },
  {
    file: 'src/adapters/webhook-client/verify-certificate.ts',
    code: "new RegExp(`^${key}=(.*)$`, 'm')",
    reason: 'the part that is not known is CN or O',
  },
];
