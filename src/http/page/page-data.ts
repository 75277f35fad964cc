import { maskTrace } from '../../trace/mask.ts';
import { traceText } from '../../trace/trace-text.ts';
import { json, refusal } from './page-answer.ts';
import type { PageAnswer } from './page-answer.ts';
import type { PageSources } from './page-sources.ts';

const root = '/kadmit/v1';
const mostListed = 10_000;

/**
 * The page's data: the paths of the secure port, with what Secrets hold masked unless `?reveal=true` asks for it.
 * undefined for a path that is none of them.
 */
export function answerData(url: URL, sources: PageSources): PageAnswer | undefined {
  const { pathname, searchParams } = url;
  if (pathname === `${root}/traces`)
    return json(`{"traceVersion":1,"items":${JSON.stringify(sources.list(limitIn(searchParams)))}}`);
  if (pathname === `${root}/breaks`) return json(JSON.stringify(sources.breaks?.state() ?? null));
  if (!pathname.startsWith(`${root}/traces/`)) return undefined;
  const id = decodedId(pathname.slice(`${root}/traces/`.length));
  const trace = sources.get(id);
  if (!trace) return refusal(404, `no trace ${JSON.stringify(id)}: only the last writes are kept`);
  return json(traceText(searchParams.get('reveal') === 'true' ? trace : maskTrace(trace)));
}

function limitIn(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? mostListed);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, mostListed) : mostListed;
}

function decodedId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
