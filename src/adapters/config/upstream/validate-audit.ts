import type { ServerConfig } from '../server-config.ts';
import type { UpstreamOptions } from './options.ts';

/** Follows apiserver pkg/server/options/audit.go Validate: of what is not switched on nothing is checked. */
export function auditProblems({ auditLogPath }: ServerConfig, options: UpstreamOptions): readonly string[] {
  const { number, text } = options;
  const amounts = (['audit-log-maxage', 'audit-log-maxbackup', 'audit-log-maxsize'] as const).flatMap((name) =>
    number[name] < 0 ? [`--${name} ${number[name]} can't be a negative number`] : [],
  );
  const format = text['audit-log-format'];
  return [
    ...(auditLogPath === ''
      ? []
      : [
          ...backendProblems('log', options),
          ...(['json', 'legacy'].includes(format)
            ? []
            : [`invalid audit log format ${format}, allowed formats are "legacy,json"`]),
          ...amounts,
        ]),
    ...(text['audit-webhook-config-file'] === '' ? [] : backendProblems('webhook', options)),
  ];
}

function backendProblems(to: 'log' | 'webhook', options: UpstreamOptions): readonly string[] {
  const { number, text } = options;
  const [event, batch] = [number[`audit-${to}-truncate-max-event-size`], number[`audit-${to}-truncate-max-batch-size`]];
  const batchProblem = batchProblemOf(to, options);
  return [
    ...(batchProblem === undefined ? [] : [batchProblem]),
    ...(event <= 0
      ? [`invalid audit truncate ${to} max event size ${event}, must be a positive number`]
      : batch < event
        ? [`invalid audit truncate ${to} max batch size ${batch}, must be greater than max event size (${event})`]
        : []),
    ...(text[`audit-${to}-version`] === 'audit.k8s.io/v1'
      ? []
      : ['invalid group version, allowed versions are ["audit.k8s.io/v1"]']),
  ];
}

function batchProblemOf(to: 'log' | 'webhook', { number, text, truth }: UpstreamOptions): string | undefined {
  const mode = text[`audit-${to}-mode`];
  if (!['batch', 'blocking', 'blocking-strict'].includes(mode)) {
    return `invalid audit ${to} mode ${mode}, allowed modes are "batch,blocking,blocking-strict"`;
  }
  if (mode !== 'batch') return undefined;
  const amounts = [
    ['buffer size', number[`audit-${to}-batch-buffer-size`]],
    ['max batch size', number[`audit-${to}-batch-max-size`]],
    ...(truth[`audit-${to}-batch-throttle-enable`]
      ? ([
          ['throttle QPS', number[`audit-${to}-batch-throttle-qps`]],
          ['throttle burst', number[`audit-${to}-batch-throttle-burst`]],
        ] as const)
      : []),
  ] as const;
  const wrong = amounts.find(([, amount]) => amount <= 0);
  return wrong && `invalid audit batch ${to} ${wrong[0]} ${wrong[1]}, must be a positive number`;
}
