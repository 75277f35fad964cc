import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { compatText } from '../../../../src/app/cli/trials/compat.ts';
import { plain } from '../../../../src/explain/render/explain-page.ts';
import type { CompatDifference } from '../../../../src/analysis/trials/release-notes.ts';

const about = (request: string, file: string): Omit<CompatDifference, 'kind' | 'text'> => ({
  request,
  place: `${resolve(file)}:3`,
  since: '1.36',
});

test('requests that both releases refuse are counted once each; paths are relative', () => {
  const reworded: CompatDifference = { ...about('Pod p', 'p.yaml'), kind: 'message', text: 'other words' };
  const report = {
    releases: ['1.35', '1.36'],
    requests: 3,
    leftOut: { 'in no release: nothing serves it': 2 },
    differences: [
      { ...about('Service s', 'shop/s.yaml'), kind: 'refused' as const, text: 'is refused with 422: no' },
      reworded,
      { ...reworded, ...about('Pod q', 'q.yaml') },
    ],
  };
  expect(compatText(report, { paint: plain, width: Infinity }).split('\n')).toEqual([
    'since 1.36',
    '  Service s (shop/s.yaml:3)',
    '    is refused with 422: no',
    '  2 refused with other messages (-o json has them)',
    '',
    'left out: 2 × in no release: nothing serves it',
    '3 requests, 3 differences from 1.35 to 1.36',
  ]);
});
