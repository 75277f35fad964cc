import { notAcceptable } from '../apimachinery/status.ts';
import type { Status } from '../apimachinery/status.ts';

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
  /** May the object be sent as a Table or as its metadata? */
  readonly transforms: boolean;
}

const plain: Representation = { as: 'object', version: 'v1' };

/** What the real server names in its refusals. */
const upstreamTypes = `application/json, application/yaml, ${protobufType}`;

/**
 * The first clause of an Accept header, by quality and then position, that the offer can satisfy. No header means JSON.
 * Unlike upstream, protobuf goes only to clients that take nothing else (docs/decisions/0006-protobuf-answers.md).
 * Follows apiserver pkg/endpoints/handlers/negotiation/negotiate.go (spec/kubectl.md section 2.2).
 */
export function negotiate(accept: string | undefined, { mediaTypes, transforms }: Offer): Negotiated {
  const [first = 'application/json'] = mediaTypes;
  if (accept === undefined || accept === '' || accept === first) {
    return { outcome: 'accepted', mediaType: first, representation: plain };
  }
  const clauses = parseAccept(accept);
  const choices = clauses.flatMap((clause) => choiceOf(clause, mediaTypes, transforms));
  const [best] = choices;
  if (best === undefined) return { outcome: 'refused', status: refusal(clauses) };
  const same = choices.find(
    ({ mediaType, representation }) =>
      mediaType !== protobufType &&
      representation.as === best.representation.as &&
      representation.version === best.representation.version,
  );
  return { outcome: 'accepted', ...(best.mediaType === protobufType ? (same ?? best) : best) };
}

interface Choice {
  readonly mediaType: MediaType;
  readonly representation: Representation;
}

/** What a clause gets of what is on offer; nothing when it cannot be satisfied. */
function choiceOf(clause: AcceptClause, mediaTypes: readonly MediaType[], transforms: boolean): readonly Choice[] {
  const representation = representationOf(clause.parameters, transforms);
  const mediaType = mediaTypes.find((offered) => typeMatches(clause, offered));
  if (mediaType === undefined || representation === undefined) return [];
  return representation.as === 'Table' && mediaType === protobufType ? [] : [{ mediaType, representation }];
}

/** A clause of Accept: `application/json;as=Table;q=0.8`. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The clauses by quality, equal ones in their order. */
export function parseAccept(accept: string): readonly AcceptClause[] {
  return accept
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(parseClause)
    .toSorted((a, b) => b.quality - a.quality);
}

function parseClause(part: string): AcceptClause {
  const [range = '', ...pairs] = part.split(';').map((piece) => piece.trim());
  const [type = '', subtype = type === '*' ? '*' : ''] = range.toLowerCase().split('/');
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

/** Undefined when the clause asks for something that is not on offer. Follows apiserver pkg/endpoints/handlers/rest.go. */
function representationOf(parameters: ReadonlyMap<string, string>, transforms: boolean): Representation | undefined {
  const [as, group, version] = [parameters.get('as'), parameters.get('g'), parameters.get('v')];
  if (as === undefined && group === undefined && version === undefined) return plain;
  if (!transforms || group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  return as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
    ? { as, version }
    : undefined;
}

/** The router refuses types nobody serves, the handler parameters it does not know. Follows restful and negotiation/errors.go. */
function refusal(clauses: readonly AcceptClause[]): Status {
  const known = clauses.some((clause) => upstreamTypes.split(', ').some((offered) => typeMatches(clause, offered)));
  return notAcceptable(
    known
      ? `only the following media types are accepted: ${upstreamTypes}`
      : `406: Not Acceptable\n\nAvailable representations: ${upstreamTypes}`,
  );
}
