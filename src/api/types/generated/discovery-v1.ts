// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type Endpoint = {
  readonly addresses?: readonly string[] | null;
  readonly conditions?: EndpointConditions;
  readonly hostname?: string;
  readonly targetRef?: coreV1.ObjectReference;
  readonly deprecatedTopology?: { readonly [key: string]: string };
  readonly nodeName?: string;
  readonly zone?: string;
  readonly hints?: EndpointHints;
};

export type EndpointConditions = {
  readonly ready?: boolean;
  readonly serving?: boolean;
  readonly terminating?: boolean;
};

export type EndpointHints = {
  readonly forZones?: readonly ForZone[];
  readonly forNodes?: readonly ForNode[];
};

export type EndpointPort = {
  readonly name?: string;
  readonly protocol?: string;
  readonly port?: number;
  readonly appProtocol?: string;
};

export type EndpointSlice = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly addressType?: string;
  readonly endpoints?: readonly Endpoint[] | null;
  readonly ports?: readonly EndpointPort[] | null;
};

export type EndpointSliceList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<EndpointSlice>[] | null;
};

export type ForNode = {
  readonly name?: string;
};

export type ForZone = {
  readonly name?: string;
};
