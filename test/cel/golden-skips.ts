/** What the goldens contain that Kubernetes does not have. */
export interface GoldenSkip {
  readonly because: string;
  readonly matches: (title: string, expression: string, test: string) => boolean;
}

const titled =
  (...starts: readonly string[]) =>
  (title: string): boolean =>
    starts.some((start) => title.startsWith(`${start}: `));

export const goldenSkips: readonly GoldenSkip[] = [
  {
    because: 'protobuf messages, wrappers and enums',
    matches: (_title, _expression, json) =>
      /TestAllTypes|google\.(?:expr|protobuf\.(?!Timestamp|Duration))|"wrapper"|messageType|wellKnown":"ANY/.test(json),
  },
  {
    because: 'functions that Kubernetes does not have',
    matches: (_title, _expression, json) => json.includes('"function"'),
  },
  {
    because: 'the one-variable existsOne, which Kubernetes does not have',
    matches: (_title, expression) => /existsOne\((?:v|__result__), /.test(expression),
  },
  {
    because: 'made with a recursion limit of 32 or a recovery limit of 4; Kubernetes has 250 and 30',
    matches: titled(...[142, 143, 144, 145, 152, 153, 154, 155, 156, 157, 158, 184].map((index) => `parsing ${index}`)),
  },
  {
    because: 'made without optional syntax, which Kubernetes always has',
    matches: titled(
      ...[160, 161, 162, 163, 164, 165, 166, 167].map((index) => `parsing ${index}`),
      ...[116, 117, 121, 122, 123, 124, 125, 126, 127].map((index) => `checking ${index}`),
    ),
  },
  {
    because: 'kube-apiserver 1.36.2 says no viable alternative, as recorded for a.b.c.d.(e)',
    matches: titled('parsing 159'),
  },
  {
    because: 'made with variables and functions that the file does not name',
    matches: titled(...[8, 9, 10, 11, 12, 13, 14, 15, 20, 21, 23].map((index) => `checking ${index}`)),
  },
  {
    because: 'made without comparisons across numeric types, which Kubernetes always has',
    matches: titled(...[106, 107, 108, 109, 110, 111].map((index) => `checking ${index}`)),
  },
];
