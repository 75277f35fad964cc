import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { FindingBadge } from '../../explain/findings/digest.ts';
import type { NumberedSummary } from '../../explain/trace/trace-summary.ts';
import { isHousekeeping } from '../filter.ts';
import type { MarkStore } from '../mark-store.ts';
import type { ConnectionState } from '../page-source.ts';
import { scrollTo, windowOf } from '../row-window.ts';
import { clockTime, durationText, objectName, plural } from '../words.ts';
import { EmptyList } from './empty-list.tsx';
import { WebhookCounts } from './webhooks-pane.tsx';

export interface RequestListProps {
  readonly listRef: RefObject<HTMLDivElement | null>;
  readonly rows: readonly NumberedSummary[];
  readonly marks: MarkStore;
  /** Whether there are writes besides those of controllers. */
  readonly hasOwn: boolean;
  readonly isFiltering: boolean;
  readonly connection: ConnectionState;
  readonly openId: string;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}

const rowHeight = 24;
const columns = ['Code', 'Verb', 'Resource', 'Object', 'Webhooks', 'User', 'Time', 'Took'];

/** Newest first; renders visible rows only. */
export function RequestList(props: RequestListProps) {
  const { listRef, rows, marks, hasOwn, isFiltering, connection, openId, onOpen } = props;
  const [scrollTop, setScrollTop] = useState(0);
  const height = useHeight(listRef);
  const [cursorId, setCursorId] = useState(openId);
  useAnchor(listRef, rows);
  const cursor = rows.findIndex(({ id }) => id === cursorId);
  const open = (id: string): void => {
    setCursorId(id);
    onOpen(id);
  };
  const pressed = useListKeys(props, { cursor, setCursorId, page: Math.max(1, Math.floor(height / rowHeight) - 1) });
  const { first, end, before, total: fullHeight } = windowOf(scrollTop, height, rowHeight, rows.length);
  const inSight = rows.slice(first, end);
  useMarksInSight(marks, inSight);
  return (
    <div class="request-table">
      <TableHead />
      <div
        ref={listRef}
        class="request-rows"
        role="grid"
        tabIndex={0}
        aria-label="Requests, newest first"
        aria-rowcount={rows.length}
        aria-activedescendant={cursor < 0 ? undefined : rowIdOf(cursorId)}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        onKeyDown={pressed}
      >
        <div role="presentation" style={{ height: `${fullHeight}px`, position: 'relative' }}>
          <div role="presentation" style={{ transform: `translateY(${before}px)` }}>
            {inSight.map((row, at) => (
              <RequestRow
                key={row.sequence}
                row={row}
                mark={row.verdict === 'admitted' ? marks.markOf(row) : undefined}
                index={first + at}
                isOpen={row.id === openId}
                isCursor={row.id === cursorId}
                onOpen={open}
              />
            ))}
          </div>
        </div>
        {rows.length === 0 && <EmptyList isFiltered={hasOwn || isFiltering} connection={connection} />}
      </div>
    </div>
  );
}

/** Rows name their columns for assistive technology. */
const TableHead = () => (
  <div class="request-row table-head" aria-hidden="true">
    {columns.map((column) => (
      <span key={column} class={`cell is-${column.toLowerCase()}`}>
        {column}
      </span>
    ))}
  </div>
);

interface Cursor {
  /** -1: none. */
  readonly cursor: number;
  readonly setCursorId: (id: string) => void;
  /** Rows of a page. */
  readonly page: number;
}

/** Keys of the list, also without focus. With an open request, moving the cursor opens the next one. */
function useListKeys(
  { listRef, rows, openId, onOpen, onClose }: RequestListProps,
  { cursor, setCursorId, page }: Cursor,
) {
  const moveTo = (row: number): void => {
    const at = Math.max(0, Math.min(row, rows.length - 1));
    const target = rows[at];
    const list = listRef.current;
    if (target === undefined || list === null) return;
    setCursorId(target.id);
    list.scrollTop = scrollTo(at, list.scrollTop, list.clientHeight, rowHeight);
    if (openId !== '') onOpen(target.id);
  };
  const actions: Readonly<Record<string, () => void>> = {
    j: () => moveTo(cursor + 1),
    ArrowDown: () => moveTo(cursor + 1),
    k: () => moveTo(cursor < 0 ? 0 : cursor - 1),
    ArrowUp: () => moveTo(cursor < 0 ? 0 : cursor - 1),
    PageDown: () => moveTo(cursor + page),
    PageUp: () => moveTo(cursor - page),
    Home: () => moveTo(0),
    End: () => moveTo(rows.length - 1),
    Enter: () => onOpen(rows[cursor]?.id ?? ''),
    Escape: onClose,
  };
  const pressed = (event: KeyboardEvent): void => {
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  useLayoutEffect(() => {
    const outside = (event: KeyboardEvent): void => {
      if (event.target === document.body) pressed(event);
    };
    addEventListener('keydown', outside);
    return () => removeEventListener('keydown', outside);
  });
  return pressed;
}

function useHeight(ref: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(800);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return height;
}

/** Collects newly visible rows for this time. */
const gatherMs = 120;

/** Loads the findings of visible rows; refused requests need none. */
function useMarksInSight(marks: MarkStore, rows: readonly NumberedSummary[]): void {
  const wanted = useRef(rows);
  wanted.current = rows;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      marks.want(wanted.current.filter((row) => row.verdict === 'admitted' && !isHousekeeping(row)));
    }, gatherMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

/** New rows appear at the top; a list that is scrolled down keeps its visible rows. */
function useAnchor(ref: RefObject<HTMLDivElement | null>, rows: readonly NumberedSummary[]): void {
  const newest = useRef(0);
  useLayoutEffect(() => {
    const list = ref.current;
    const known = newest.current;
    newest.current = rows[0]?.sequence ?? 0;
    if (list === null || list.scrollTop < rowHeight || known === 0) return;
    const fresh = rows.findIndex(({ sequence }) => sequence <= known);
    if (fresh > 0) list.scrollTop += fresh * rowHeight;
  }, [ref, rows]);
}

const rowIdOf = (id: string): string => `row-${id}`;

interface RequestRowProps {
  readonly row: NumberedSummary;
  readonly mark: FindingBadge | undefined;
  readonly index: number;
  readonly isOpen: boolean;
  readonly isCursor: boolean;
  readonly onOpen: (id: string) => void;
}

function RequestRow({ row, mark, index, isOpen, isCursor, onOpen }: RequestRowProps) {
  const classes = ['request-row', `is-${row.verdict}`, isOpen ? 'is-open' : '', isCursor ? 'is-cursor' : ''];
  return (
    <div
      id={rowIdOf(row.id)}
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
      <span role="gridcell" class="cell is-verb">
        {row.verb}
        {row.dryRun && <em class="quiet"> dry</em>}
      </span>
      <span role="gridcell" class="cell is-resource">
        {row.resource}
      </span>
      <span role="gridcell" class="cell is-object">
        <ObjectName row={row} />
      </span>
      <span role="gridcell" class="cell is-webhooks">
        {mark && <Mark mark={mark} />}
        <WebhookCounts summary={row} />
      </span>
      <span role="gridcell" class="cell is-user">
        {row.user}
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

/** The namespace is a separate element: a narrow list hides it first. */
function ObjectName({ row }: Pick<RequestRowProps, 'row'>) {
  const [name = '', namespace] = objectName(row).split('/').toReversed();
  return (
    <>
      {namespace !== undefined && <span class="in-namespace">{namespace}/</span>}
      {name}
    </>
  );
}

/** `2 warnings`: the request was admitted with a likely wrong result. */
const Mark = ({ mark: { severity, rules } }: { readonly mark: FindingBadge }) => (
  <span
    class={severity === 'error' ? 'is-bad' : 'is-warning'}
    title={rules.map((rule) => rule.replaceAll('-', ' ')).join('\n')}
  >
    {plural(rules.length, severity === 'error' ? 'finding' : 'warning')}
  </span>
);
