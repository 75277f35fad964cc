import type { TraceSummary } from '../../trace/trace-summary.ts';

/** Who refused, how many failed, were called and were passed over; of what no webhook refused, the message. */
export function WebhookCounts({ summary }: { readonly summary: TraceSummary }) {
  const { denied, failed, skipped, assumed = [] } = summary.webhooks;
  const called = summary.webhooks.called.filter((name) => !assumed.includes(name));
  const isRefusedElsewhere = summary.verdict === 'refused' && denied.length + failed.length === 0;
  return (
    <>
      <Names names={denied} kind="is-bad" text={`denied by ${named(denied)}`} />
      <Names names={failed} kind="is-warning" text={`${denied.length > 0 ? failed.length : named(failed)} failed`} />
      {isRefusedElsewhere && <span class="is-bad">{summary.message}</span>}
      <Names names={assumed} kind="is-warning" text={`${assumed.length} assumed`} />
      <Names names={called} kind="" text={`${called.length} called`} />
      <Names names={skipped} kind="quiet" text={`${skipped.length} skipped`} />
    </>
  );
}

/** The one there is, or how many. */
const named = (names: readonly string[]): string => (names.length === 1 ? (names[0] ?? '') : String(names.length));

interface NamesProps {
  readonly names: readonly string[];
  readonly kind: string;
  readonly text: string;
}

const Names = ({ names, kind, text }: NamesProps) =>
  names.length === 0 ? null : (
    <span class={kind} title={names.join('\n')}>
      {text}
    </span>
  );
