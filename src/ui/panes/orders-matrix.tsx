import { turnWords } from '../../explain/render/turn-words.ts';
import type { OrderedPair, OrdersDocument } from '../../explain/trace/permuted-request.ts';
import { cellsOf } from '../orders-cells.ts';
import type { OrdersCell } from '../orders-cells.ts';

export interface OrdersMatrixProps {
  readonly document: OrdersDocument;
  readonly chosen: OrderedPair | undefined;
  readonly onChoose: (pair: OrderedPair) => void;
}

/** Each webhook against each other one: how often it matters who of the two comes first. */
export const OrdersMatrix = ({ document, chosen, onChoose }: OrdersMatrixProps) => (
  <div class="scrolled" role="region" aria-label="Who matters to whom" tabIndex={0}>
    <table class="orders-matrix">
      <thead>
        <tr>
          <td />
          {document.webhooks.map((turn, at) => (
            <th key={turn} scope="col" title={turnWords(turn)}>
              {at + 1}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {cellsOf(document).map(({ turn, cells }, at) => (
          <tr key={turn}>
            <th scope="row">
              {at + 1} {turnWords(turn)}
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
      2/6: of six pairs of orders that differ in these two alone, two come to something else. =: their order does not
      matter. ·: not tried, since policies always come before webhooks.
    </p>
  </div>
);

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
          title={`${turnWords(pair.first)} and ${turnWords(pair.second)}`}
          onClick={() => onChoose(pair)}
        >
          {pair.differing}/{pair.tried}
        </button>
      );
    }
  }
}
