export function median(figures) {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** Rows of `{ what, figure, goal, met }` in columns; a row without a goal is only printed. */
export function renderTable(rows) {
  const cells = [
    ['', 'measured', 'goal', ''],
    ...rows.map(({ what, figure, goal = '', met }) => [what, figure, goal, goal && (met ? 'met' : 'MISSED')]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column].length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
