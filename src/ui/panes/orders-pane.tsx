import { useEffect, useRef, useState } from 'preact/hooks';
import { mutatorCountText, participantText } from '../../explain/render/about-decision.ts';
import { diffOf, objectDiff } from '../../explain/trace/object-diff.ts';
import type { OrderedPair, OrdersDocument, OrdersProgress } from '../../explain/trace/permuted-request.ts';
import { createOrdersMatrix, type OrdersCell } from '../orders-cells.ts';
import { plural } from '../words.ts';
import { DiffView } from './json-view.tsx';

export interface OrdersPaneProps {
  /** Rejects when the request cannot be repeated. */
  readonly tryOrders: (gone: AbortSignal) => Promise<OrdersDocument>;
  readonly progress: () => Promise<OrdersProgress>;
}

type Trying =
  | { readonly state: 'running' | 'idle' }
  | { readonly state: 'tried'; readonly document: OrdersDocument }
  | { readonly state: 'refused'; readonly problem: string };

/** Whether the order of mutating webhooks and policies matters. Runs on demand. */
export function OrdersPane({ tryOrders, progress }: OrdersPaneProps) {
  const [trying, setTrying] = useState<Trying>({ state: 'idle' });
  const leaving = useRef<AbortController | undefined>(undefined);
  // Leaving the pane aborts the run.
  useEffect(() => () => leaving.current?.abort(), []);
  const start = (): void => {
    setTrying({ state: 'running' });
    const { signal } = (leaving.current = new AbortController());
    const end = (result: Trying): void => setTrying(signal.aborted ? { state: 'idle' } : result);
    tryOrders(signal).then(
      (document) => end({ state: 'tried', document }),
      (error: unknown) => end({ state: 'refused', problem: error instanceof Error ? error.message : 'it failed' }),
    );
  };
  return (
    <>
      <h3>
        Orders of the mutating webhooks
        <button type="button" class="plain" onClick={start} disabled={trying.state === 'running'}>
          {trying.state === 'tried' ? 'Try again' : 'Try them'}
        </button>
      </h3>
      <p class="quiet">
        Repeats this request as dry runs with the present configurations: in every order of a few webhooks, or with each
        pair of many both ways round. Webhooks are really called; nothing is stored or listed.
      </p>
      {trying.state === 'running' && <Progress progress={progress} onCancel={() => leaving.current?.abort()} />}
      {trying.state === 'refused' && (
        <p class="warning" role="alert">
          {trying.problem}
        </p>
      )}
      {trying.state === 'tried' && <Orders document={trying.document} />}
    </>
  );
}

const pollMs = 300;

function Progress({ progress, onCancel }: Pick<OrdersPaneProps, 'progress'> & { readonly onCancel: () => void }) {
  const [{ tried, orders }, setProgress] = useState<OrdersProgress>({ tried: 0, orders: 0 });
  useEffect(() => {
    const timer = setInterval(() => void progress().then(setProgress, () => {}), pollMs);
    return () => clearInterval(timer);
  }, [progress]);
  return (
    <p class="empty">
      <span role="status">{orders === 0 ? 'Trying …' : `${tried} of ${plural(orders, 'order')} tried …`}</span>{' '}
      {orders > 0 && <progress value={tried} max={orders} aria-label="Orders tried" />}{' '}
      <button type="button" class="plain" onClick={onCancel}>
        Cancel
      </button>
    </p>
  );
}

function Orders({ document }: { readonly document: OrdersDocument }) {
  const { webhooks, orders, ran, choice, results, pairs, notCalled } = document;
  const [chosen, setChosen] = useState<OrderedPair | undefined>(pairs[0]);
  const [configured] = results;
  if (configured === undefined || orders < 2)
    return <p class="empty">There is no order to try: {mutatorCountText(webhooks)}.</p>;
  const tried = `${plural(orders, 'order')} of ${mutatorCountText(webhooks)} (${choice}, ${ran} run)`;
  return (
    <>
      {notCalled.length > 0 && (
        <p class="warning">Not called, so that nothing is known of what they do (--assume): {notCalled.join(', ')}.</p>
      )}
      <p class={results.length > 1 ? 'warning' : 'sentence'} role="status">
        {results.length > 1 ? `${results.length} results in ${tried}` : `The same in ${tried}`}
      </p>
      <OrdersMatrix document={document} chosen={chosen} onChoose={setChosen} />
      {chosen && <PairDifference pair={chosen} document={document} />}
      {results.length > 1 && (
        <>
          <h3>Results</h3>
          {results.map((result, at) => (
            <details key={result.example.join()} class={`card tone-${result.code >= 400 ? 'bad' : 'good'}`}>
              <summary>
                <span class="card-name">
                  {at === 0 ? 'Configured order' : 'Another result'}:{' '}
                  {result.code >= 400 ? `refused ${result.code}` : 'admitted'}
                </span>{' '}
                <span class="badge">
                  {result.orders} of {orders}
                </span>
              </summary>
              {result.message !== '' && <p class="message">{result.message}</p>}
              <p class="quiet">for example in this order:</p>
              <ol class="order">
                {result.example.map((callee) => (
                  <li key={callee}>{participantText(callee)}</li>
                ))}
              </ol>
              {at > 0 && result.code < 400 && configured.code < 400 && (
                <DiffView lines={objectDiff(configured.object, result.object)} />
              )}
            </details>
          ))}
        </>
      )}
    </>
  );
}

/** The result of either order. */
function PairDifference({ pair, document }: { readonly pair: OrderedPair; readonly document: OrdersDocument }) {
  const { first, second, differing, tried, changes } = pair;
  const messages = pair.results.map((at) => document.results[at]?.message ?? '');
  return (
    <section class="pair" aria-live="polite">
      <h3>
        {participantText(first)} and {participantText(second)}
      </h3>
      <p class="quiet">
        The results differ {differing} of {plural(tried, 'time')}. “−” is the result with {participantText(first)}{' '}
        first, “+” with {participantText(second)} first.
      </p>
      {changes.length > 0 && <DiffView lines={diffOf(changes)} />}
      {messages.some((message) => message !== '') && (
        <ul>
          {messages.map((message, at) => (
            <li key={at} class={message === '' ? 'quiet' : 'message'}>
              {participantText(at === 0 ? first : second)} first: {message === '' ? 'admitted' : message}
            </li>
          ))}
        </ul>
      )}
      {changes.length === 0 && messages.every((message) => message === '') && (
        <p class="quiet">Only the order of init containers differs: they run one after the other.</p>
      )}
    </section>
  );
}

interface OrdersMatrixProps {
  readonly document: OrdersDocument;
  readonly chosen: OrderedPair | undefined;
  readonly onChoose: (pair: OrderedPair) => void;
}

/** The number of different results for each pair. */
function OrdersMatrix({ document, chosen, onChoose }: OrdersMatrixProps) {
  const [example] = document.pairs;
  return (
    <div class="scrolled" role="region" aria-label="Order dependence" tabIndex={0}>
      <table class="orders-matrix">
        <thead>
          <tr>
            <td />
            {document.webhooks.map((callee, at) => (
              <th key={callee} scope="col" title={participantText(callee)}>
                {at + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {createOrdersMatrix(document).map(({ name, cells }, at) => (
            <tr key={name}>
              <th scope="row">
                {at + 1} {participantText(name)}
              </th>
              {cells.map((cell, column) => (
                <td key={column}>
                  <Cell cell={cell} chosen={chosen} onChoose={onChoose} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">
        {example &&
          `${example.differing}/${example.tried}: ${example.differing} of ${plural(example.tried, 'pair')} of orders that differ in these two alone have different results. `}
        =: the order does not matter. ·: not tried, since policies always come before webhooks.
      </p>
    </div>
  );
}

function Cell({ cell, chosen, onChoose }: { readonly cell: OrdersCell } & Omit<OrdersMatrixProps, 'document'>) {
  switch (cell.is) {
    case 'self':
      return null;
    case 'apart':
      return <span class="quiet">·</span>;
    case 'same':
      return <span class="is-same">=</span>;
    case 'differs': {
      const { pair } = cell;
      return (
        <button
          type="button"
          class="is-differing"
          aria-pressed={chosen === pair}
          title={`${participantText(pair.first)} and ${participantText(pair.second)}`}
          onClick={() => onChoose(pair)}
        >
          {pair.differing}/{pair.tried}
        </button>
      );
    }
  }
}
