// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type HTTPIngressPath = {
  readonly path?: string;
  readonly pathType?: string | null;
  readonly backend?: IngressBackend;
};

export type HTTPIngressRuleValue = {
  readonly paths?: readonly HTTPIngressPath[] | null;
};

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

export type IPBlock = {
  readonly cidr?: string;
  readonly except?: readonly string[];
};

export type Ingress = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: IngressSpec;
  readonly status?: IngressStatus;
};

export type IngressBackend = {
  readonly service?: IngressServiceBackend;
  readonly resource?: coreV1.TypedLocalObjectReference;
};

export type IngressClass = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: IngressClassSpec;
};

export type IngressClassList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<IngressClass>[] | null;
};

export type IngressClassParametersReference = {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly scope?: string | null;
  readonly namespace?: string;
};

export type IngressClassSpec = {
  readonly controller?: string;
  readonly parameters?: IngressClassParametersReference;
};

export type IngressList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Ingress>[] | null;
};

export type IngressLoadBalancerIngress = {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ports?: readonly IngressPortStatus[];
};

export type IngressLoadBalancerStatus = {
  readonly ingress?: readonly IngressLoadBalancerIngress[];
};

export type IngressPortStatus = {
  readonly port?: number;
  readonly protocol?: string;
  readonly error?: string;
};

export type IngressRule = {
  readonly host?: string;
  readonly http?: HTTPIngressRuleValue;
};

export type IngressRuleValue = {
  readonly http?: HTTPIngressRuleValue;
};

export type IngressServiceBackend = {
  readonly name?: string;
  readonly port?: ServiceBackendPort;
};

export type IngressSpec = {
  readonly ingressClassName?: string;
  readonly defaultBackend?: IngressBackend;
  readonly tls?: readonly IngressTLS[];
  readonly rules?: readonly IngressRule[];
};

export type IngressStatus = {
  readonly loadBalancer?: IngressLoadBalancerStatus;
};

export type IngressTLS = {
  readonly hosts?: readonly string[];
  readonly secretName?: string;
};

export type NetworkPolicy = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: NetworkPolicySpec;
};

export type NetworkPolicyEgressRule = {
  readonly ports?: readonly NetworkPolicyPort[];
  readonly to?: readonly NetworkPolicyPeer[];
};

export type NetworkPolicyIngressRule = {
  readonly ports?: readonly NetworkPolicyPort[];
  readonly from?: readonly NetworkPolicyPeer[];
};

export type NetworkPolicyList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<NetworkPolicy>[] | null;
};

export type NetworkPolicyPeer = {
  readonly podSelector?: metaV1.LabelSelector;
  readonly namespaceSelector?: metaV1.LabelSelector;
  readonly ipBlock?: IPBlock;
};

export type NetworkPolicyPort = {
  readonly protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
};

export type NetworkPolicySpec = {
  readonly podSelector?: metaV1.LabelSelector;
  readonly ingress?: readonly NetworkPolicyIngressRule[];
  readonly egress?: readonly NetworkPolicyEgressRule[];
  readonly policyTypes?: readonly string[];
};

export type ParentReference = {
  readonly group?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
};

export type ServiceBackendPort = {
  readonly name?: string;
  readonly number?: number;
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
