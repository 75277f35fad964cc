import { type Digest, isWarningOrError } from '../../explain/render/digest.ts';
import type { NumberedSummary } from '../../explain/trace/trace-summary.ts';
import { listCalledWebhooks } from '../filter.ts';
import type { HeldRequest } from '../page-source.ts';
import { accountName, clockTime, durationText, objectName } from '../words.ts';
import { heldSubject } from './held-panel.tsx';

export const createRowId = (id: string): string => `row-${id}`;

interface ListRowProps {
  readonly row: NumberedSummary;
  readonly digest: Digest | undefined;
  readonly index: number;
  readonly isOpen: boolean;
  readonly isCursor: boolean;
  readonly onOpen: (id: string) => void;
}

export function ListRow({ row, digest, index, isOpen, isCursor, onOpen }: ListRowProps) {
  const classes = ['request-row', `is-${row.verdict}`, isOpen ? 'is-open' : '', isCursor ? 'is-cursor' : ''];
  return (
    <div
      id={createRowId(row.id)}
      role="row"
      class={classes.join(' ')}
      aria-rowindex={index + 1}
      aria-selected={isOpen}
      title={row.message || row.path}
      onClick={() => onOpen(row.id)}
    >
      <span role="gridcell" class="cell is-code">
        {row.code}
      </span>
      <span role="gridcell" class="cell is-request">
        {row.verb} {row.resource}
        {row.dryRun && <em class="quiet"> dry run</em>}
      </span>
      <span role="gridcell" class="cell is-object">
        <ObjectName row={row} />
      </span>
      <span role="gridcell" class="cell is-result">
        {digest ? <Result row={row} digest={digest} /> : <span class="quiet">{row.message}</span>}
      </span>
      <span role="gridcell" class="cell is-user" title={row.user}>
        {accountName(row.user)}
      </span>
      <span role="gridcell" class="cell is-time" title={new Date(row.startedAt).toString()}>
        {clockTime(row.startedAt)}
      </span>
      <span role="gridcell" class="cell is-took">
        {durationText(row.milliseconds)}
      </span>
    </div>
  );
}

/** The namespace takes at most half of the cell. */
function ObjectName({ row }: { readonly row: Parameters<typeof objectName>[0] }) {
  const [name = '', namespace] = objectName(row).split('/').toReversed();
  return (
    <>
      {namespace !== undefined && <span class="in-namespace">{namespace}</span>}
      <span class="own-name">{namespace === undefined ? name : `/${name}`}</span>
    </>
  );
}

const signs = { 'second round': '↻', 'failed open': '⊘', assumed: '≈' } as const;

/** Marks, then the headline. */
function Result({ row, digest }: { readonly row: NumberedSummary; readonly digest: Digest }) {
  const { headline, findings, marks, isNearMiss = false } = digest;
  const wrong = findings.filter(isWarningOrError);
  const isCalm = headline.tone === 'good' && listCalledWebhooks(row).length === 0 && !isNearMiss;
  return (
    <>
      {wrong.length > 0 && (
        <Mark
          sign={`⚠ ${wrong.length}`}
          words={wrong.length === 1 ? 'finding' : 'findings'}
          tone={wrong[0]?.severity === 'error' ? 'bad' : 'warn'}
          title={wrong.map(({ title }) => title).join('\n')}
        />
      )}
      {marks.map((mark) => (
        <Mark
          key={mark}
          sign={signs[mark]}
          words={mark}
          tone={mark === 'second round' ? 'quiet' : 'warn'}
          title={mark}
        />
      ))}
      <span class={`headline tone-${isCalm ? 'quiet' : headline.tone}`} title={headline.text}>
        {headline.text}
      </span>
    </>
  );
}

interface MarkProps {
  readonly sign: string;
  /** Hidden in a narrow list. */
  readonly words: string;
  readonly tone: 'bad' | 'warn' | 'quiet';
  readonly title: string;
}

const Mark = ({ sign, words, tone, title }: MarkProps) => (
  <span class={`chip tone-${tone}`} title={title}>
    {sign}
    <span class="chip-words"> {words}</span>
  </span>
);

/** A request at a breakpoint; it has no result yet. */
export function HeldRow({ request, onOpen }: { readonly request: HeldRequest; readonly onOpen: () => void }) {
  const { verb, resource, user, ...object } = heldSubject(request.review);
  return (
    <button type="button" class="request-row is-held" onClick={onOpen}>
      <span class="cell is-code">held</span>
      <span class="cell is-request">
        {verb} {resource}
      </span>
      <span class="cell is-object">
        <ObjectName row={{ ...object, resource }} />
      </span>
      <span class="cell is-result">
        {request.moment} the call of {request.webhook}
      </span>
      <span class="cell is-user" title={user}>
        {accountName(user)}
      </span>
      <span class="cell is-time">{clockTime(request.since)}</span>
      <span class="cell is-took">held</span>
    </button>
  );
}
