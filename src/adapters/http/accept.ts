import { notAcceptable } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';

export const protobufType = 'application/vnd.kubernetes.protobuf';

export type MediaType = 'application/json' | 'application/yaml' | typeof protobufType;

/** What the client wants to see of an object. */
export interface Representation {
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  readonly version: 'v1' | 'v1beta1';
}

export type Negotiated =
  | { readonly outcome: 'accepted'; readonly mediaType: MediaType; readonly representation: Representation }
  | { readonly outcome: 'refused'; readonly status: Status };

export interface Offer {
  readonly mediaTypes: readonly MediaType[];
  /** May the object be sent as its metadata, and as a Table? */
  readonly transforms: boolean | 'metadata';
  /** What the route says it produces: its own refusal comes before the handler's. */
  readonly route?: readonly string[];
  /** A watch: not every type has a form for streams. */
  readonly streams?: true;
}

const plain: Representation = { as: 'object', version: 'v1' };

/** Most clients ask for JSON and nothing else, which every route has. */
export const isPlainJson = (accept: string | undefined): boolean =>
  accept === undefined || accept === '' || accept === 'application/json';

export const bodyTypes = ['application/json', 'application/yaml', protobufType] as const;
const streamTypes = ['application/json;stream=watch', `${protobufType};stream=watch`] as const;

/**
 * The first clause of an Accept header, by quality and then position, that the offer can satisfy. No header means JSON.
 * Unlike upstream, protobuf goes only to clients that take nothing else (docs/internals/decisions/0006-protobuf-answers.md).
 * Follows apiserver pkg/endpoints/handlers/negotiation/negotiate.go.
 */
export function negotiate(accept: string | undefined, offer: Offer): Negotiated {
  const { mediaTypes, transforms, route } = offer;
  const [first = 'application/json'] = mediaTypes;
  if (accept === undefined || accept === '' || accept === first) {
    return { outcome: 'accepted', mediaType: first, representation: plain };
  }
  if (route && !routeMatches(accept, route)) return { outcome: 'refused', status: noRoute(route) };
  const choices = parseAccept(accept).flatMap((clause) => choiceOf(clause, mediaTypes, transforms));
  const [best] = choices;
  if (best === undefined || (offer.streams && best.mediaType === 'application/yaml')) {
    return { outcome: 'refused', status: nothingFits(offer.streams ? streamTypes : bodyTypes) };
  }
  return { outcome: 'accepted', ...(best.mediaType === protobufType ? inText(best, choices) : best) };
}

interface Choice {
  readonly mediaType: MediaType;
  readonly representation: Representation;
}

/** The first choice of the same representation that is not protobuf; if there is none, the choice itself. */
const inText = (best: Choice, choices: readonly Choice[]): Choice =>
  choices.find(
    ({ mediaType, representation }) =>
      mediaType !== protobufType &&
      representation.as === best.representation.as &&
      representation.version === best.representation.version,
  ) ?? best;

/** What a clause gets of what is on offer; nothing when it cannot be satisfied. */
function choiceOf(
  clause: AcceptClause,
  mediaTypes: readonly MediaType[],
  transforms: Offer['transforms'],
): readonly Choice[] {
  const representation = representationOf(clause.parameters, transforms);
  const stream = clause.parameters.get('stream') ?? '';
  if (representation === undefined) return [];
  // Metadata has a message, whatever object it is of.
  const offered: readonly MediaType[] = isMetadata(representation) ? [...mediaTypes, protobufType] : mediaTypes;
  const mediaType = offered.find((one) => typeMatches(clause, one) && streams(one, stream));
  if (mediaType === undefined) return [];
  return representation.as === 'Table' && mediaType === protobufType ? [] : [{ mediaType, representation }];
}

const isMetadata = ({ as }: Representation): boolean =>
  as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList';

/** A clause of Accept: `application/json;as=Table;q=0.8`. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The clauses by quality, equal ones in their order. */
export function parseAccept(accept: string): readonly AcceptClause[] {
  return clausesOf(accept)
    .filter((part) => part.trim() !== '')
    .map(parseClause)
    .toSorted((a, b) => b.quality - a.quality);
}

/** A header may have a hundred thousand, of which those that stand there again say nothing new. */
const clausesOf = (accept: string): readonly string[] => [...new Set(accept.split(','))];

function parseClause(part: string): AcceptClause {
  const [range = '', ...pairs] = part.split(';').map((piece) => piece.trim());
  const [type = '', subtype = type === '*' ? '*' : ''] = range.split('/');
  const parameters = new Map(pairs.map(parsePair));
  const quality = Number(parameters.get('q') ?? 1);
  return { type, subtype, quality: Number.isNaN(quality) ? 1 : quality, parameters };
}

function parsePair(pair: string): readonly [string, string] {
  const [name = '', value = ''] = pair.split('=', 2).map((piece) => piece.trim());
  return [name, value.replaceAll('"', '')];
}

function typeMatches({ type, subtype }: AcceptClause, offered: string): boolean {
  const [offeredType, offeredSubtype] = offered.split('/');
  return (type === '*' || type === offeredType) && (subtype === '*' || subtype === offeredSubtype);
}

/** Does the type have a form for this kind of stream? */
const streams = (mediaType: MediaType, stream: string): boolean =>
  stream === '' || (stream === 'watch' && mediaType !== 'application/yaml');

/** Undefined when the clause asks for something that is not on offer. Follows apiserver pkg/endpoints/handlers/rest.go. */
function representationOf(
  parameters: ReadonlyMap<string, string>,
  transforms: Offer['transforms'],
): Representation | undefined {
  const [as, group, version] = [parameters.get('as'), parameters.get('g'), parameters.get('v')];
  if (as === undefined && group === undefined && version === undefined) return plain;
  if (!transforms || group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  return (as === 'Table' && transforms === true) || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
    ? { as, version }
    : undefined;
}

/** What the routes of a collection and those of everything else say they produce. Follows apiserver pkg/endpoints/installer.go. */
export const producedBy = {
  collection: [...bodyTypes, ...streamTypes],
  object: bodyTypes,
  log: ['text/plain', ...bodyTypes],
  connection: ['*/*'],
} as const;

/** Why a route sends nothing to this client; undefined when it does. */
export const routeRefusal = (accept: string | undefined, route: readonly string[]): Status | undefined =>
  accept === undefined || accept === '' || routeMatches(accept, route) ? undefined : noRoute(route);

/** A route looks at whole types only, whatever their parameters. Follows go-restful route.go matchesAccept. */
function routeMatches(accept: string, route: readonly string[]): boolean {
  const asked = clausesOf(accept).map((clause) => (clause.split(';', 1)[0] ?? '').trim());
  return route.includes('*/*') || asked.some((type) => type === '*/*' || route.includes(type));
}

/** Follows go-restful jsr311.go. */
function noRoute(route: readonly string[]): Status {
  const text = `406: Not Acceptable\n\nAvailable representations: ${route.join(', ')}`;
  const { code, ...status } = notAcceptable(text);
  return { ...status, details: {}, code };
}

/** Follows apiserver pkg/endpoints/handlers/negotiation/errors.go. */
const nothingFits = (types: readonly string[]): Status =>
  notAcceptable(`only the following media types are accepted: ${types.join(', ')}`);
