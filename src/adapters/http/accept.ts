import { notAcceptable, type Status } from '../../machinery/meta/status.ts';
import type { ApiRequest, Printed } from '../../apiserver/request/api-request.ts';
import { requestInfoOf } from '../../apiserver/request/request-info.ts';

export const protobufType = 'application/vnd.kubernetes.protobuf';

export type MediaType = 'application/json' | 'application/yaml' | typeof protobufType;

export interface Representation {
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  readonly version: 'v1' | 'v1beta1';
}

export type Negotiated =
  | { readonly outcome: 'accepted'; readonly mediaType: MediaType; readonly representation: Representation }
  | { readonly outcome: 'refused'; readonly status: Status };

export interface OfferedTypes {
  readonly mediaTypes: readonly MediaType[];
  /** Whether the object can be sent as a Table and as its metadata. */
  readonly transforms: boolean | 'metadata';
  /** The types that the route produces: the router refuses a request before its handler does. */
  readonly route?: readonly string[];
  /** Some types have no form for streams. */
  readonly streams?: true;
}

const plain: Representation = { as: 'object', version: 'v1' };

/** True for most clients. */
const isPlainJson = (accept: string | undefined): boolean =>
  accept === undefined || accept === '' || accept === 'application/json';

const bodyTypes = ['application/json', 'application/yaml', protobufType] as const;
const streamTypes = ['application/json;stream=watch', `${protobufType};stream=watch`] as const;

/**
 * The first clause of an Accept header, by quality and then position, that the offer satisfies; no header means JSON.
 * Unlike upstream, protobuf goes only to clients that accept nothing else (docs/internals/decisions/0006-protobuf-answers.md).
 * Follows apiserver pkg/endpoints/handlers/negotiation/negotiate.go.
 */
export function negotiate(accept: string | undefined, offer: OfferedTypes): Negotiated {
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

/** The first choice of the same representation that is not protobuf, otherwise the choice itself. */
const inText = (best: Choice, choices: readonly Choice[]): Choice =>
  choices.find(
    ({ mediaType, representation }) =>
      mediaType !== protobufType &&
      representation.as === best.representation.as &&
      representation.version === best.representation.version,
  ) ?? best;

/** What the offer has for a clause; [] when it cannot be satisfied. */
function choiceOf(
  clause: AcceptClause,
  mediaTypes: readonly MediaType[],
  transforms: OfferedTypes['transforms'],
): readonly Choice[] {
  const representation = representationOf(clause.parameters, transforms);
  const stream = clause.parameters.get('stream') ?? '';
  if (representation === undefined) return [];
  // Metadata of every object has a protobuf message.
  const offered: readonly MediaType[] = isMetadata(representation) ? [...mediaTypes, protobufType] : mediaTypes;
  const mediaType = offered.find((one) => typeMatches(clause, one) && streams(one, stream));
  if (mediaType === undefined) return [];
  return representation.as === 'Table' && mediaType === protobufType ? [] : [{ mediaType, representation }];
}

const isMetadata = ({ as }: Representation): boolean =>
  as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList';

export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Clauses by quality, then position. */
export function parseAccept(accept: string): readonly AcceptClause[] {
  return clausesOf(accept)
    .filter((part) => part.trim() !== '')
    .map(parseClause)
    .toSorted((a, b) => b.quality - a.quality);
}

/** A header may repeat a clause a hundred thousand times. */
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

const streams = (mediaType: MediaType, stream: string): boolean =>
  stream === '' || (stream === 'watch' && mediaType !== 'application/yaml');

/** undefined for a representation that is not offered. Follows apiserver pkg/endpoints/handlers/rest.go. */
function representationOf(
  parameters: ReadonlyMap<string, string>,
  transforms: OfferedTypes['transforms'],
): Representation | undefined {
  const [as, group, version] = [parameters.get('as'), parameters.get('g'), parameters.get('v')];
  if (as === undefined && group === undefined && version === undefined) return plain;
  if (!transforms || group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  return (as === 'Table' && transforms === true) || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
    ? { as, version }
    : undefined;
}

/** The types that routes produce. Follows apiserver pkg/endpoints/installer.go. */
export const producedBy = {
  collection: [...bodyTypes, ...streamTypes],
  object: bodyTypes,
  log: ['text/plain', ...bodyTypes],
  connection: ['*/*'],
} as const;

/** The router's 406; undefined when the route matches. */
export const routeRefusal = (accept: string | undefined, route: readonly string[]): Status | undefined =>
  accept === undefined || accept === '' || routeMatches(accept, route) ? undefined : noRoute(route);

/** Routes ignore parameters of types. Follows go-restful route.go matchesAccept. */
function routeMatches(accept: string, route: readonly string[]): boolean {
  const accepted = clausesOf(accept).map((clause) => (clause.split(';', 1)[0] ?? '').trim());
  return route.includes('*/*') || accepted.some((type) => type === '*/*' || route.includes(type));
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

/**
 * 406 before anything is read or written. A watch is negotiated when it begins; a log is always text. Follows
 * apiserver pkg/endpoints/handlers/get.go and create.go.
 */
export function negotiationError(request: ApiRequest, isCustom: boolean): Status | undefined {
  if (isPlainJson(accept(request))) return undefined;
  const info = requestInfoOf(request.method, request.path, request.query);
  if (info.type === 'path' || info.verb === 'watch' || notNegotiated.has(info.subresource)) return undefined;
  const offer = isCustom ? { mediaTypes: texts } : { ...formsOf(request), route: routeOf(request) };
  const accepted = negotiate(accept(request), { ...objects, ...offer });
  return accepted.outcome === 'refused' ? accepted.status : undefined;
}

const connections = ['exec', 'attach', 'portforward', 'proxy'];
const notNegotiated = new Set(['log', ...connections]);

const texts = ['application/json', 'application/yaml'] as const;

/** Custom resources have neither a protobuf form nor a route that declares types. */
export const offerOf = (
  request: ApiRequest,
  { printed }: { readonly printed?: Printed },
): Partial<Pick<OfferedTypes, 'mediaTypes' | 'route' | 'transforms'>> => {
  if (printed) return { mediaTypes: texts };
  if (isPlainJson(accept(request))) return {};
  const isDiscovery =
    /^\/apis?(?:\/|$)/.test(request.path) && requestInfoOf(request.method, request.path, request.query).type === 'path';
  // The aggregator writes the list of all groups and has no routes.
  const routed = /^\/apis\/?$/.test(request.path) ? {} : { route: routeOf(request) };
  return { ...routed, ...(isDiscovery ? { transforms: false } : formsOf(request)) };
};

/**
 * Reviews and subresources without columns have no Table. Follows kubernetes pkg/registry (which storages implement
 * ConvertToTable) and apiserver pkg/endpoints/handlers/rest.go AllowsMediaTypeTransform.
 */
function formsOf({ method, path, query }: ApiRequest): Pick<OfferedTypes, 'transforms'> {
  const info = requestInfoOf(method, path, query);
  if (info.type === 'path') return { transforms: true };
  const { group, resource, subresource } = info;
  const offersTable =
    subresource === ''
      ? !isReview(group) && `${group}/${resource}` !== '/bindings'
      : subresource === 'scale' || (subresource === 'status' && !statusWithoutColumns.has(`${group}/${resource}`));
  return { transforms: offersTable ? true : 'metadata' };
}

const isReview = (group: string): boolean => group === 'authentication.k8s.io' || group === 'authorization.k8s.io';

const statusWithoutColumns: ReadonlySet<string> = new Set([
  'apiextensions.k8s.io/customresourcedefinitions',
  'apiregistration.k8s.io/apiservices',
  'resource.k8s.io/devicetaintrules',
  'resource.k8s.io/resourceclaims',
  'resource.k8s.io/resourcepoolstatusrequests',
  'scheduling.k8s.io/podgroups',
]);

export const objects = { mediaTypes: bodyTypes, transforms: true } as const;
export const errors = { mediaTypes: bodyTypes, transforms: false } as const;
export const watches = { mediaTypes: bodyTypes, transforms: true, streams: true } as const;

/** The types that the request's route produces. */
function routeOf({ method, path, query }: ApiRequest): readonly string[] {
  const info = requestInfoOf(method, path, query);
  if (info.type === 'path') return producedBy.object;
  if (connections.includes(info.subresource)) return producedBy.connection;
  if (info.subresource === 'log') return producedBy.log;
  return info.verb === 'list' || info.verb === 'watch' ? producedBy.collection : producedBy.object;
}

export function accept(request: ApiRequest): string | undefined {
  const header = request.headers['accept'];
  return typeof header === 'string' ? header : undefined;
}
