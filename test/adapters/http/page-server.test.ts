import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTraces, type PageServer, startPageServer } from '../../../src/adapters/http/page/page-server.ts';
import { sourcesOf, type UiSources } from '../../../src/adapters/http/page/page-sources.ts';
import { summaryOf } from '../../../src/explain/trace/trace-summary.ts';
import { someTrace, someWebhook } from '../../ui/some-trace.ts';

const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { password: 'aHVudGVyMg==' } };
const traces = [
  someTrace({ id: 'first' }),
  someTrace({ id: 'odd/id', objectAfter: secret, request: { ...someTrace().request, resource: 'secrets' } }),
];

let server: PageServer;
beforeAll(async () => {
  server = await openTraces(traces, 0);
});
afterAll(() => server.close());

interface Answer {
  readonly code: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** One request with the token in its query, unless it is to have none. */
function ask(path: string, { token = true, ...options }: http.RequestOptions & { token?: boolean } = {}) {
  const url = new URL(path, server.url);
  if (token) url.searchParams.set('token', new URL(server.url).searchParams.get('token') ?? '');
  return new Promise<Answer>((resolve, reject) => {
    const request = http.request(url, options, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ code: response.statusCode, headers: response.headers, body }));
    });
    request.on('error', reject);
    request.end();
  });
}

test.each(['/', '/page.js', '/kadmit/v1/traces', '/kadmit/v1/traces/first', '/kadmit/v1/events', '/nowhere'])(
  'without the token %s answers 401 and one line',
  async (path) => {
    expect(await ask(path, { token: false })).toMatchObject({
      code: 401,
      body: 'the token is missing or wrong: open the URL that kadmit printed\n',
    });
  },
);

test('a foreign Host and a foreign Origin are refused, the right token or not', async () => {
  expect(await ask('/', { headers: { host: 'evil.example' } })).toMatchObject({ code: 403 });
  expect(await ask('/kadmit/v1/traces', { headers: { origin: 'http://evil.example' } })).toMatchObject({ code: 403 });
});

test('the page comes with a cookie and may load nothing from elsewhere', async () => {
  const { code, headers } = await ask('/');
  expect([200, 503]).toContain(code); // 503: this test does not wait for a build.
  expect(headers['set-cookie']?.[0]).toMatch(/^kadmit-\d+=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
  expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' });
});

test('the list, newest first, and one trace', async () => {
  const { items } = JSON.parse((await ask('/kadmit/v1/traces')).body);
  expect(items).toEqual([
    { ...summaryOf(traces[1] ?? someTrace()), sequence: 2 },
    { ...summaryOf(traces[0] ?? someTrace()), sequence: 1 },
  ]);
  expect(JSON.parse((await ask('/kadmit/v1/traces?limit=1')).body).items).toHaveLength(1);
  expect(JSON.parse((await ask('/kadmit/v1/traces/first')).body)).toEqual(traces[0]);
  expect(await ask('/kadmit/v1/traces/none')).toMatchObject({ code: 404 });
});

test('digests of the requests with these ids', async () => {
  const marked = await openTraces(
    [someTrace({ id: 'fine' }), someTrace({ id: 'un/checked', admission: [someWebhook({ outcome: 'failed-open' })] })],
    0,
  );
  try {
    const url = new URL(marked.url);
    url.pathname = '/kadmit/v1/digests';
    for (const id of ['fine', 'un/checked', 'none']) url.searchParams.append('id', id);
    const { body } = await ask(url.href, { token: false });
    expect(JSON.parse(body).items).toMatchObject([
      { id: 'fine', findings: [], marks: [] },
      {
        id: 'un/checked',
        headline: { tone: 'warn', text: expect.stringContaining('stored without the change of a.example.com') },
        findings: [{ rule: 'unchecked' }],
        marks: ['failed open'],
      },
    ]);
  } finally {
    await marked.close();
  }
});

test('what a Secret holds stays on the server unless it is asked for', async () => {
  const path = `/kadmit/v1/traces/${encodeURIComponent('odd/id')}`;
  expect((await ask(path)).body).toContain('"password":"‹masked 1›"');
  expect((await ask(`${path}?reveal=true`)).body).toContain('aHVudGVyMg==');
});

test.each(['DELETE', 'PUT'])('%s is not understood', async (method) => {
  const { host } = new URL(server.url);
  expect(await ask('/', { method, headers: { origin: `http://${host}` } })).toMatchObject({ code: 405 });
});

test('a path that is none does no harm', async () => {
  for (const path of ['/%', '/kadmit/v1/traces/%E0%A4%A', '/../../etc/passwd', '/page.js/..']) {
    expect([200, 404, 503]).toContain((await ask(path)).code);
  }
});

test.each([
  ['{', 400, 'the body is not JSON: unexpected end of JSON input'],
  ['['.repeat(200_000), 400, "the body is not JSON: invalid character '[' exceeded max depth"],
  ['{"on":"a.example.com"}', 200, '{"path":"/kadmit/v1/breaks","body":{"on":"a.example.com"}}'],
])('the body of a break is read within bounds, case %#', async (body, code, answer) => {
  const breaks: NonNullable<UiSources['breaks']> = {
    state: () => null,
    act: (path, sent) => Promise.resolve({ code: 200, body: { path, body: sent } }),
    onChanged: () => () => {},
  };
  const paused = await startPageServer(0, { ...sourcesOf([], []), breaks });
  try {
    const url = new URL(paused.url);
    const response = await fetch(new URL(`/kadmit/v1/breaks${url.search}`, url), {
      method: 'POST',
      body,
      headers: { origin: url.origin },
    });
    expect([response.status, (await response.text()).trim()]).toEqual([code, answer]);
  } finally {
    await paused.close();
  }
});

test('events begin with what is there and go on with what is new, also after a while away', async () => {
  let listener = (): void => {};
  const fixed = sourcesOf(
    traces,
    traces.map((trace, at) => ({ ...summaryOf(trace), sequence: at + 1 })),
  );
  let known = 1;
  const sources: UiSources = {
    ...fixed,
    list: () => fixed.list(10).filter((one) => one.sequence <= known),
    since: (sequence) => fixed.since(sequence).filter((one) => one.sequence <= known),
    onRecorded: (next) => {
      listener = next;
      return () => {};
    },
  };
  const live = await startPageServer(0, sources);
  try {
    const events = new URL(live.url);
    events.pathname = '/kadmit/v1/events';
    const first = await listen(events, {}, 1);
    known = 2;
    listener();
    expect(idsIn(await first.until(2))).toEqual([['first'], ['odd/id']]);
    first.end();
    const again = await listen(events, { 'last-event-id': '1' }, 1);
    expect(idsIn(again.text())).toEqual([['odd/id']]);
    again.end();
  } finally {
    await live.close();
  }
});

test('of many requests the newest come first, then those before them', async () => {
  const many = await openTraces(
    Array.from({ length: 250 }, (_, at) => someTrace({ id: `r${at}` })),
    0,
  );
  try {
    const events = new URL(many.url);
    events.pathname = '/kadmit/v1/events';
    const heard = await listen(events, {}, 2);
    const [newest = [], older = []] = idsIn(heard.text());
    heard.end();
    expect([newest[0], newest.at(-1), older[0], older.at(-1)]).toEqual(['r50', 'r249', 'r49', 'r0']);
  } finally {
    await many.close();
  }
});

const idsIn = (text: string): readonly (readonly string[])[] =>
  [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = '']) =>
    (JSON.parse(data) as { id: string }[]).map(({ id }) => id),
  );

/** Hears events until there are `count` of them. */
function listen(url: URL, headers: http.OutgoingHttpHeaders, count: number) {
  return new Promise<{ text: () => string; until: (count: number) => Promise<string>; end: () => void }>((resolve) => {
    const request = http.get(url, { headers }, (response) => {
      let text = '';
      let wake = (): void => {};
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        wake();
      });
      const until = (wanted: number): Promise<string> =>
        new Promise((done) => {
          wake = () => {
            if (idsIn(text).length >= wanted) done(text);
          };
          wake();
        });
      void until(count).then(() => resolve({ text: () => text, until, end: () => request.destroy() }));
    });
    request.on('error', () => {});
  });
}
