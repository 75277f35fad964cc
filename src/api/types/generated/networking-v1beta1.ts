// Made of the tables in src/api/release/current by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type IPAddress = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: IPAddressSpec;
};

export type IPAddressList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<IPAddress>[] | null;
};

export type IPAddressSpec = {
  readonly parentRef?: ParentReference;
};

export type ParentReference = {
  readonly group?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
};

export type ServiceCIDR = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: ServiceCIDRSpec;
  readonly status?: ServiceCIDRStatus;
};

export type ServiceCIDRList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ServiceCIDR>[] | null;
};

export type ServiceCIDRSpec = {
  readonly cidrs?: readonly string[];
};

export type ServiceCIDRStatus = {
  readonly conditions?: readonly metaV1.Condition[];
};
