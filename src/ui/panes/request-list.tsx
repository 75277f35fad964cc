import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { NumberedSummary } from '../../explain/trace/trace-summary.ts';
import type { DigestStore } from '../digest-store.ts';
import type { ConnectionState, HeldRequest } from '../page-source.ts';
import { scrollTo, computeRowWindow } from '../row-window.ts';
import { EmptyList } from './empty-list.tsx';
import { HeldRow, ListRow, createRowId } from './request-row.tsx';

export interface RequestListProps {
  readonly listRef: RefObject<HTMLDivElement | null>;
  readonly rows: readonly NumberedSummary[];
  readonly digests: DigestStore;
  readonly held: readonly HeldRequest[];
  /** Whether there are writes besides those of controllers. */
  readonly hasOwn: boolean;
  readonly isFiltering: boolean;
  readonly connection: ConnectionState;
  readonly openId: string;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
  readonly onHeld: () => void;
}

/** As in style.css: a narrow list has the result below the request. */
const heights = { wide: 24, narrow: 46 } as const;
const narrow = 460;

const columns = ['Code', 'Request', 'Object', 'Result', 'User', 'Time', 'Took'];

/** Newest first; renders visible rows only. */
export function RequestList(props: RequestListProps) {
  const { listRef, rows, digests, held, hasOwn, isFiltering, connection, openId, onOpen, onHeld } = props;
  const [scrollTop, setScrollTop] = useState(0);
  const { height, rowHeight } = useSize(listRef);
  const [cursorId, setCursorId] = useState(openId);
  useAnchor(listRef, rows, rowHeight);
  const cursor = rows.findIndex(({ id }) => id === cursorId);
  const open = (id: string): void => {
    setCursorId(id);
    onOpen(id);
  };
  const page = Math.max(1, Math.floor(height / rowHeight) - 1);
  const pressed = useListKeys(props, { cursor, setCursorId, page, rowHeight });
  const { first, end, before, total: fullHeight } = computeRowWindow(scrollTop, height, rowHeight, rows.length);
  const inSight = rows.slice(first, end);
  useDigestsInSight(digests, inSight);
  return (
    <div class="request-table">
      <TableHead held={held} onHeld={onHeld} />
      <div
        ref={listRef}
        class="request-rows"
        role="grid"
        tabIndex={0}
        aria-label="Requests, newest first"
        aria-rowcount={rows.length}
        aria-activedescendant={cursor < 0 ? undefined : createRowId(cursorId)}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        onKeyDown={pressed}
      >
        <div role="presentation" style={{ height: `${fullHeight}px`, position: 'relative' }}>
          <div role="presentation" style={{ transform: `translateY(${before}px)` }}>
            {inSight.map((row, at) => (
              <ListRow
                key={row.sequence}
                row={row}
                digest={digests.get(row)}
                index={first + at}
                isOpen={row.id === openId}
                isCursor={row.id === cursorId}
                onOpen={open}
              />
            ))}
          </div>
        </div>
        {rows.length + held.length === 0 && <EmptyList isFiltered={hasOwn || isFiltering} connection={connection} />}
      </div>
    </div>
  );
}

/** The columns, which rows name for assistive technology, and the requests at a breakpoint. */
const TableHead = ({ held, onHeld }: Pick<RequestListProps, 'held' | 'onHeld'>) => (
  <>
    <div class="request-row table-head" aria-hidden="true">
      {columns.map((column) => (
        <span key={column} class={`cell is-${column.toLowerCase()}`}>
          {column}
        </span>
      ))}
    </div>
    {held.map((request) => (
      <HeldRow key={request.id} request={request} onOpen={onHeld} />
    ))}
  </>
);

interface Cursor {
  /** -1: none. */
  readonly cursor: number;
  readonly setCursorId: (id: string) => void;
  /** Rows of a page. */
  readonly page: number;
  readonly rowHeight: number;
}

/** Keys of the list, also without focus. With an open request, moving the cursor opens the next one. */
function useListKeys(
  { listRef, rows, openId, onOpen, onClose }: RequestListProps,
  { cursor, setCursorId, page, rowHeight }: Cursor,
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

interface ListSize {
  readonly height: number;
  readonly rowHeight: number;
}

function useSize(ref: RefObject<HTMLDivElement | null>): ListSize {
  const [size, setSize] = useState<ListSize>({ height: 800, rowHeight: heights.wide });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() =>
      setSize({
        height: element.clientHeight,
        rowHeight: element.offsetWidth <= narrow ? heights.narrow : heights.wide,
      }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  const shownHeight = useRef(size.rowHeight);
  useLayoutEffect(() => {
    // The same rows stay visible.
    if (ref.current !== null) ref.current.scrollTop *= size.rowHeight / shownHeight.current;
    shownHeight.current = size.rowHeight;
  }, [ref, size.rowHeight]);
  return size;
}

/** Collects newly visible rows for this time. */
const gatherMs = 120;

function useDigestsInSight(digests: DigestStore, rows: readonly NumberedSummary[]): void {
  const wanted = useRef(rows);
  wanted.current = rows;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      digests.want(wanted.current);
    }, gatherMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

/** New rows appear at the top; a list that is scrolled down keeps its visible rows. */
function useAnchor(ref: RefObject<HTMLDivElement | null>, rows: readonly NumberedSummary[], rowHeight: number): void {
  const newest = useRef(0);
  useLayoutEffect(() => {
    const list = ref.current;
    const known = newest.current;
    newest.current = rows[0]?.sequence ?? 0;
    if (list === null || list.scrollTop < rowHeight || known === 0) return;
    const fresh = rows.findIndex(({ sequence }) => sequence <= known);
    if (fresh > 0) list.scrollTop += fresh * rowHeight;
  }, [ref, rows, rowHeight]);
}
