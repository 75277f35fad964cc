import { setImmediate } from 'node:timers/promises';
import type { Digest } from '../../../explain/render/digest.ts';
import { configurationHistory } from '../../../explain/trace/configuration-history.ts';
import { coverageOf } from '../../../explain/trace/coverage.ts';
import { maskedText, maskSecretsIn, maskTrace } from '../../../explain/trace/mask.ts';
import { renderTraceFile, traceText } from '../../traces/trace-file.ts';
import { bigintAsText } from '../../../machinery/json/json-writer.ts';
import { asList, asObject, asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { unescapeUrl } from '../../../machinery/go/go-url.ts';
import { html, json, type PageAnswer, refusal } from './page-answer.ts';
import type { UiSources } from './page-sources.ts';

const root = '/kadmit/v1';
const maxListed = 10_000;

/** Data of the UI, with Secrets masked unless `?reveal=true`; undefined for an unknown path. */
export async function answerData(url: URL, sources: UiSources): Promise<PageAnswer | undefined> {
  const { pathname, searchParams } = url;
  const reveal = searchParams.get('reveal') === 'true';
  switch (pathname) {
    case `${root}/traces`:
      return json(JSON.stringify({ traceVersion: 1, items: sources.list(limitIn(searchParams)) }));
    case `${root}/coverage`:
      return json(jsonText(coverageOf(first(maxListed, sources.all()))));
    case `${root}/configurations`:
      return json(`{"items":${jsonText(configurationHistory(sources.ofGroup('admissionregistration.k8s.io')))}}`);
    case `${root}/digests`:
      return json(jsonText({ items: await digestsOf(searchParams.getAll('id'), sources) }));
    case `${root}/breaks`: {
      const state = sources.breaks?.state() ?? null;
      return json(jsonText(reveal ? state : maskHeld(state)));
    }
    default:
      return pathname.startsWith(`${root}/traces/`) ? oneTrace(url, reveal, sources) : undefined;
  }
}

function* first<T>(max: number, items: Iterable<T>): Iterable<T> {
  let left = max;
  for (const item of items) {
    yield item;
    left -= 1;
    if (left === 0) return;
  }
}

const maxDigests = 200;

/** Digests of requests. Yields between them. */
async function digestsOf(ids: readonly string[], sources: UiSources): Promise<readonly Digest[]> {
  const digests: Digest[] = [];
  for (const id of ids.slice(0, maxDigests)) {
    const digest = sources.digest(id);
    if (digest) digests.push(digest);
    await setImmediate();
  }
  return digests;
}

/** A trace, or with `?as=file` a trace file. */
async function oneTrace({ pathname, searchParams }: URL, reveal: boolean, sources: UiSources): Promise<PageAnswer> {
  const id = unescapeUrl(pathname.slice(`${root}/traces/`.length));
  const trace = sources.get(id);
  if (!trace) return refusal(404, `no trace ${JSON.stringify(id)}: only the last writes are kept`);
  if (searchParams.get('as') === 'file') {
    return { ...html(await renderTraceFile([trace], { reveal })), saveAs: 'kadmit-trace.html' };
  }
  return json(traceText(reveal ? trace : maskTrace(trace)));
}

/** Integers beyond 2^53 are strings, as in trace files. */
const jsonText = (value: unknown): string => JSON.stringify(value, bigintAsText);

function limitIn(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? maxListed);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, maxListed) : maxListed;
}

const secretKinds = new Set(['Secret', 'TokenRequest', 'TokenReview']);

/** Masks Secrets in the document of breakpoints; responses to reviews of Secrets are hidden. */
export function maskHeld(state: JsonValue): JsonValue {
  const masked = maskSecretsIn(state);
  if (!isJsonObject(masked)) return masked;
  return { ...masked, held: asList(masked['held']).map(withoutAnswer) };
}

function withoutAnswer(held: JsonValue): JsonValue {
  const { answer, review } = asObject(held);
  const { kind } = asObject(asObject(asObject(review)['request'])['kind']);
  if (!isJsonObject(answer) || !secretKinds.has(asString(kind))) return held;
  const { outcome, code } = answer;
  return { ...asObject(held), answer: { outcome, code, body: maskedText, response: { masked: maskedText } } };
}
