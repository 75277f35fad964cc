// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type AWSElasticBlockStoreVolumeSource = {
  readonly volumeID?: string;
  readonly fsType?: string;
  readonly partition?: number;
  readonly readOnly?: boolean;
};

export type Affinity = {
  readonly nodeAffinity?: NodeAffinity;
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAntiAffinity;
};

export type AppArmorProfile = {
  readonly type?: string;
  readonly localhostProfile?: string;
};

export type AttachedVolume = {
  readonly name?: string;
  readonly devicePath?: string;
};

export type AzureDiskVolumeSource = {
  readonly diskName?: string;
  readonly diskURI?: string;
  readonly cachingMode?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly kind?: string;
};

export type AzureFilePersistentVolumeSource = {
  readonly secretName?: string;
  readonly shareName?: string;
  readonly readOnly?: boolean;
  readonly secretNamespace?: string | null;
};

export type AzureFileVolumeSource = {
  readonly secretName?: string;
  readonly shareName?: string;
  readonly readOnly?: boolean;
};

export type Binding = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly target?: ObjectReference;
};

export type CSIPersistentVolumeSource = {
  readonly driver?: string;
  readonly volumeHandle?: string;
  readonly readOnly?: boolean;
  readonly fsType?: string;
  readonly volumeAttributes?: { readonly [key: string]: string };
  readonly controllerPublishSecretRef?: SecretReference;
  readonly nodeStageSecretRef?: SecretReference;
  readonly nodePublishSecretRef?: SecretReference;
  readonly controllerExpandSecretRef?: SecretReference;
  readonly nodeExpandSecretRef?: SecretReference;
};

export type CSIVolumeSource = {
  readonly driver?: string;
  readonly readOnly?: boolean;
  readonly fsType?: string;
  readonly volumeAttributes?: { readonly [key: string]: string };
  readonly nodePublishSecretRef?: LocalObjectReference;
};

export type Capabilities = {
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
};

export type CephFSPersistentVolumeSource = {
  readonly monitors?: readonly string[] | null;
  readonly path?: string;
  readonly user?: string;
  readonly secretFile?: string;
  readonly secretRef?: SecretReference;
  readonly readOnly?: boolean;
};

export type CephFSVolumeSource = {
  readonly monitors?: readonly string[] | null;
  readonly path?: string;
  readonly user?: string;
  readonly secretFile?: string;
  readonly secretRef?: LocalObjectReference;
  readonly readOnly?: boolean;
};

export type CinderPersistentVolumeSource = {
  readonly volumeID?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: SecretReference;
};

export type CinderVolumeSource = {
  readonly volumeID?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
};

export type ClientIPConfig = {
  readonly timeoutSeconds?: number;
};

export type ClusterTrustBundleProjection = {
  readonly name?: string;
  readonly signerName?: string;
  readonly labelSelector?: metaV1.LabelSelector;
  readonly optional?: boolean;
  readonly path?: string;
  readonly user?: number | bigint;
};

export type ComponentCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly message?: string;
  readonly error?: string;
};

export type ComponentStatus = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly conditions?: readonly ComponentCondition[];
};

export type ComponentStatusList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ComponentStatus>[] | null;
};

export type ConfigMap = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly immutable?: boolean;
  readonly data?: { readonly [key: string]: string };
  readonly binaryData?: { readonly [key: string]: string };
};

export type ConfigMapEnvSource = {
  readonly name?: string;
  readonly optional?: boolean;
};

export type ConfigMapKeySelector = {
  readonly name?: string;
  readonly key?: string;
  readonly optional?: boolean;
};

export type ConfigMapList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ConfigMap>[] | null;
};

export type ConfigMapNodeConfigSource = {
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly kubeletConfigKey?: string;
};

export type ConfigMapProjection = {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
};

export type ConfigMapVolumeSource = {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
  readonly defaultUser?: number | bigint;
};

export type Container = {
  readonly name?: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly env?: readonly EnvVar[];
  readonly resources?: ResourceRequirements;
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: Lifecycle;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly imagePullPolicy?: string;
  readonly securityContext?: SecurityContext;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
};

export type ContainerExtendedResourceRequest = {
  readonly containerName?: string;
  readonly resourceName?: string;
  readonly requestName?: string;
};

export type ContainerImage = {
  readonly names?: readonly string[] | null;
  readonly sizeBytes?: number | bigint;
};

export type ContainerPort = {
  readonly name?: string;
  readonly hostPort?: number;
  readonly containerPort?: number;
  readonly protocol?: string;
  readonly hostIP?: string;
};

export type ContainerResizePolicy = {
  readonly resourceName?: string;
  readonly restartPolicy?: string;
};

export type ContainerRestartRule = {
  readonly action?: string;
  readonly exitCodes?: ContainerRestartRuleOnExitCodes;
};

export type ContainerRestartRuleOnExitCodes = {
  readonly operator?: string;
  readonly values?: readonly number[];
};

export type ContainerState = {
  readonly waiting?: ContainerStateWaiting;
  readonly running?: ContainerStateRunning;
  readonly terminated?: ContainerStateTerminated;
};

export type ContainerStateRunning = {
  readonly startedAt?: string | null;
};

export type ContainerStateTerminated = {
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: string | null;
  readonly finishedAt?: string | null;
  readonly containerID?: string;
};

export type ContainerStateWaiting = {
  readonly reason?: string;
  readonly message?: string;
};

export type ContainerStatus = {
  readonly name?: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly image?: string;
  readonly imageID?: string;
  readonly containerID?: string;
  readonly started?: boolean;
  readonly allocatedResources?: { readonly [key: string]: string };
  readonly resources?: ResourceRequirements;
  readonly volumeMounts?: readonly VolumeMountStatus[];
  readonly user?: ContainerUser;
  readonly allocatedResourcesStatus?: readonly ResourceStatus[];
  readonly stopSignal?: string;
};

export type ContainerUser = {
  readonly linux?: LinuxContainerUser;
};

export type DaemonEndpoint = {
  readonly Port?: number;
};

export type DownwardAPIProjection = {
  readonly items?: readonly DownwardAPIVolumeFile[];
};

export type DownwardAPIVolumeFile = {
  readonly path?: string;
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly mode?: number;
  readonly user?: number | bigint;
};

export type DownwardAPIVolumeSource = {
  readonly items?: readonly DownwardAPIVolumeFile[];
  readonly defaultMode?: number;
  readonly defaultUser?: number | bigint;
};

export type EmptyDirVolumeSource = {
  readonly medium?: string;
  readonly sizeLimit?: string;
  readonly mode?: number;
};

export type EndpointAddress = {
  readonly ip?: string;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: ObjectReference;
};

export type EndpointPort = {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
};

export type EndpointSubset = {
  readonly addresses?: readonly EndpointAddress[];
  readonly notReadyAddresses?: readonly EndpointAddress[];
  readonly ports?: readonly EndpointPort[];
};

export type Endpoints = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly subsets?: readonly EndpointSubset[];
};

export type EndpointsList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Endpoints>[] | null;
};

export type EnvFromSource = {
  readonly prefix?: string;
  readonly configMapRef?: ConfigMapEnvSource;
  readonly secretRef?: SecretEnvSource;
};

export type EnvVar = {
  readonly name?: string;
  readonly value?: string;
  readonly valueFrom?: EnvVarSource;
};

export type EnvVarSource = {
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly configMapKeyRef?: ConfigMapKeySelector;
  readonly secretKeyRef?: SecretKeySelector;
  readonly fileKeyRef?: FileKeySelector;
};

export type EphemeralContainer = {
  readonly name?: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly env?: readonly EnvVar[];
  readonly resources?: ResourceRequirements;
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: Lifecycle;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly imagePullPolicy?: string;
  readonly securityContext?: SecurityContext;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
  readonly targetContainerName?: string;
};

export type EphemeralContainerCommon = {
  readonly name?: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly env?: readonly EnvVar[];
  readonly resources?: ResourceRequirements;
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: Lifecycle;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly imagePullPolicy?: string;
  readonly securityContext?: SecurityContext;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
};

export type EphemeralVolumeSource = {
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate;
};

export type Event = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly involvedObject?: ObjectReference;
  readonly reason?: string;
  readonly message?: string;
  readonly source?: EventSource;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly count?: number;
  readonly type?: string;
  readonly eventTime?: string | null;
  readonly series?: EventSeries;
  readonly action?: string;
  readonly related?: ObjectReference;
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
};

export type EventList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Event>[] | null;
};

export type EventSeries = {
  readonly count?: number;
  readonly lastObservedTime?: string | null;
};

export type EventSource = {
  readonly component?: string;
  readonly host?: string;
};

export type EvictionResponder = {
  readonly name?: string;
  readonly priority?: number | null;
};

export type ExecAction = {
  readonly command?: readonly string[];
};

export type FCVolumeSource = {
  readonly targetWWNs?: readonly string[];
  readonly lun?: number;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly wwids?: readonly string[];
};

export type FileKeySelector = {
  readonly volumeName?: string;
  readonly path?: string;
  readonly key?: string;
  readonly optional?: boolean;
};

export type FlexPersistentVolumeSource = {
  readonly driver?: string;
  readonly fsType?: string;
  readonly secretRef?: SecretReference;
  readonly readOnly?: boolean;
  readonly options?: { readonly [key: string]: string };
};

export type FlexVolumeSource = {
  readonly driver?: string;
  readonly fsType?: string;
  readonly secretRef?: LocalObjectReference;
  readonly readOnly?: boolean;
  readonly options?: { readonly [key: string]: string };
};

export type FlockerVolumeSource = {
  readonly datasetName?: string;
  readonly datasetUUID?: string;
};

export type GCEPersistentDiskVolumeSource = {
  readonly pdName?: string;
  readonly fsType?: string;
  readonly partition?: number;
  readonly readOnly?: boolean;
};

export type GRPCAction = {
  readonly port?: number;
  readonly service?: string | null;
  readonly mode?: string;
};

export type GitRepoVolumeSource = {
  readonly repository?: string;
  readonly revision?: string;
  readonly directory?: string;
};

export type GlusterfsPersistentVolumeSource = {
  readonly endpoints?: string;
  readonly path?: string;
  readonly readOnly?: boolean;
  readonly endpointsNamespace?: string;
};

export type GlusterfsVolumeSource = {
  readonly endpoints?: string;
  readonly path?: string;
  readonly readOnly?: boolean;
};

export type HTTPGetAction = {
  readonly path?: string;
  readonly port?: number | string;
  readonly host?: string;
  readonly scheme?: string;
  readonly httpHeaders?: readonly HTTPHeader[];
  readonly protocol?: string;
};

export type HTTPHeader = {
  readonly name?: string;
  readonly value?: string;
};

export type HostAlias = {
  readonly ip?: string;
  readonly hostnames?: readonly string[];
};

export type HostIP = {
  readonly ip?: string;
};

export type HostPathVolumeSource = {
  readonly path?: string;
  readonly type?: string;
};

export type ISCSIPersistentVolumeSource = {
  readonly targetPortal?: string;
  readonly iqn?: string;
  readonly lun?: number;
  readonly iscsiInterface?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly portals?: readonly string[];
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: SecretReference;
  readonly initiatorName?: string;
};

export type ISCSIVolumeSource = {
  readonly targetPortal?: string;
  readonly iqn?: string;
  readonly lun?: number;
  readonly iscsiInterface?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly portals?: readonly string[];
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: LocalObjectReference;
  readonly initiatorName?: string;
};

export type ImageVolumeSource = {
  readonly reference?: string;
  readonly pullPolicy?: string;
};

export type ImageVolumeStatus = {
  readonly imageRef?: string;
};

export type KeyToPath = {
  readonly key?: string;
  readonly path?: string;
  readonly mode?: number;
  readonly user?: number | bigint;
};

export type Lifecycle = {
  readonly postStart?: LifecycleHandler;
  readonly preStop?: LifecycleHandler;
  readonly stopSignal?: string;
};

export type LifecycleHandler = {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly sleep?: SleepAction;
};

export type LimitRange = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: LimitRangeSpec;
};

export type LimitRangeItem = {
  readonly type?: string;
  readonly max?: { readonly [key: string]: string };
  readonly min?: { readonly [key: string]: string };
  readonly default?: { readonly [key: string]: string };
  readonly defaultRequest?: { readonly [key: string]: string };
  readonly maxLimitRequestRatio?: { readonly [key: string]: string };
};

export type LimitRangeList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<LimitRange>[] | null;
};

export type LimitRangeSpec = {
  readonly limits?: readonly LimitRangeItem[] | null;
};

export type LinuxContainerUser = {
  readonly uid?: number | bigint;
  readonly gid?: number | bigint;
  readonly supplementalGroups?: readonly (number | bigint)[];
};

export type LoadBalancerIngress = {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: string;
  readonly ports?: readonly PortStatus[];
};

export type LoadBalancerStatus = {
  readonly ingress?: readonly LoadBalancerIngress[];
};

export type LocalObjectReference = {
  readonly name?: string;
};

export type LocalVolumeSource = {
  readonly path?: string;
  readonly fsType?: string;
};

export type ModifyVolumeStatus = {
  readonly targetVolumeAttributesClassName?: string;
  readonly status?: string;
};

export type NFSVolumeSource = {
  readonly server?: string;
  readonly path?: string;
  readonly readOnly?: boolean;
};

export type Namespace = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: NamespaceSpec;
  readonly status?: NamespaceStatus;
};

export type NamespaceCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type NamespaceList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Namespace>[] | null;
};

export type NamespaceSpec = {
  readonly finalizers?: readonly string[];
};

export type NamespaceStatus = {
  readonly phase?: string;
  readonly conditions?: readonly NamespaceCondition[];
};

export type Node = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: NodeSpec;
  readonly status?: NodeStatus;
};

export type NodeAddress = {
  readonly type?: string;
  readonly address?: string;
};

export type NodeAffinity = {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[];
};

export type NodeAllocatableMappedResources = {
  readonly name?: string;
  readonly quantity?: string | null;
};

export type NodeAllocatableOverheadResources = {
  readonly name?: string;
  readonly perPod?: string;
  readonly perContainer?: string;
};

export type NodeAllocatableResourceClaimStatus = {
  readonly resourceClaimName?: string;
  readonly containers?: readonly string[];
  readonly mapping?: readonly NodeAllocatableMappedResources[];
  readonly overhead?: readonly NodeAllocatableOverheadResources[];
};

export type NodeCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastHeartbeatTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type NodeConfigSource = {
  readonly configMap?: ConfigMapNodeConfigSource;
};

export type NodeConfigStatus = {
  readonly assigned?: NodeConfigSource;
  readonly active?: NodeConfigSource;
  readonly lastKnownGood?: NodeConfigSource;
  readonly error?: string;
};

export type NodeDaemonEndpoints = {
  readonly kubeletEndpoint?: DaemonEndpoint;
};

export type NodeFeatures = {
  readonly supplementalGroupsPolicy?: boolean;
};

export type NodeList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Node>[] | null;
};

export type NodePodPreemptionPolicy = {
  readonly disableResizePreemption?: readonly string[];
};

export type NodeProxyOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly path?: string;
};

export type NodeRuntimeHandler = {
  readonly name?: string;
  readonly features?: NodeRuntimeHandlerFeatures;
};

export type NodeRuntimeHandlerFeatures = {
  readonly recursiveReadOnlyMounts?: boolean;
  readonly userNamespaces?: boolean;
};

export type NodeSelector = {
  readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] | null;
};

export type NodeSelectorRequirement = {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
};

export type NodeSelectorTerm = {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
};

export type NodeSpec = {
  readonly podCIDR?: string;
  readonly podCIDRs?: readonly string[];
  readonly providerID?: string;
  readonly unschedulable?: boolean;
  readonly taints?: readonly Taint[];
  readonly configSource?: NodeConfigSource;
  readonly externalID?: string;
  readonly podPreemptionPolicy?: NodePodPreemptionPolicy;
};

export type NodeStatus = {
  readonly capacity?: { readonly [key: string]: string };
  readonly allocatable?: { readonly [key: string]: string };
  readonly phase?: string;
  readonly conditions?: readonly NodeCondition[];
  readonly addresses?: readonly NodeAddress[];
  readonly daemonEndpoints?: NodeDaemonEndpoints;
  readonly nodeInfo?: NodeSystemInfo;
  readonly images?: readonly ContainerImage[];
  readonly volumesInUse?: readonly string[];
  readonly volumesAttached?: readonly AttachedVolume[];
  readonly config?: NodeConfigStatus;
  readonly runtimeHandlers?: readonly NodeRuntimeHandler[];
  readonly features?: NodeFeatures;
  readonly declaredFeatures?: readonly string[];
};

export type NodeSwapStatus = {
  readonly capacity?: number | bigint;
};

export type NodeSystemInfo = {
  readonly machineID?: string;
  readonly systemUUID?: string;
  readonly bootID?: string;
  readonly kernelVersion?: string;
  readonly osImage?: string;
  readonly containerRuntimeVersion?: string;
  readonly kubeletVersion?: string;
  readonly kubeProxyVersion?: string;
  readonly operatingSystem?: string;
  readonly architecture?: string;
  readonly swap?: NodeSwapStatus;
  readonly runningInUserNamespace?: boolean;
};

export type ObjectFieldSelector = {
  readonly apiVersion?: string;
  readonly fieldPath?: string;
};

export type ObjectReference = {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
};

export type PersistentVolume = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: PersistentVolumeSpec;
  readonly status?: PersistentVolumeStatus;
};

export type PersistentVolumeClaim = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: PersistentVolumeClaimSpec;
  readonly status?: PersistentVolumeClaimStatus;
};

export type PersistentVolumeClaimCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type PersistentVolumeClaimList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<PersistentVolumeClaim>[] | null;
};

export type PersistentVolumeClaimSpec = {
  readonly accessModes?: readonly string[];
  readonly selector?: metaV1.LabelSelector;
  readonly resources?: VolumeResourceRequirements;
  readonly volumeName?: string;
  readonly storageClassName?: string;
  readonly volumeMode?: string;
  readonly dataSource?: TypedLocalObjectReference;
  readonly dataSourceRef?: TypedObjectReference;
  readonly volumeAttributesClassName?: string;
};

export type PersistentVolumeClaimStatus = {
  readonly phase?: string;
  readonly accessModes?: readonly string[];
  readonly capacity?: { readonly [key: string]: string };
  readonly conditions?: readonly PersistentVolumeClaimCondition[];
  readonly allocatedResources?: { readonly [key: string]: string };
  readonly allocatedResourceStatuses?: { readonly [key: string]: string };
  readonly currentVolumeAttributesClassName?: string;
  readonly modifyVolumeStatus?: ModifyVolumeStatus;
  readonly healthStatus?: VolumeHealthStatus;
};

export type PersistentVolumeClaimTemplate = {
  readonly metadata?: ObjectMeta;
  readonly spec?: PersistentVolumeClaimSpec;
};

export type PersistentVolumeClaimVolumeSource = {
  readonly claimName?: string;
  readonly readOnly?: boolean;
};

export type PersistentVolumeList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<PersistentVolume>[] | null;
};

export type PersistentVolumeSource = {
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  readonly hostPath?: HostPathVolumeSource;
  readonly glusterfs?: GlusterfsPersistentVolumeSource;
  readonly nfs?: NFSVolumeSource;
  readonly rbd?: RBDPersistentVolumeSource;
  readonly iscsi?: ISCSIPersistentVolumeSource;
  readonly cinder?: CinderPersistentVolumeSource;
  readonly cephfs?: CephFSPersistentVolumeSource;
  readonly fc?: FCVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly flexVolume?: FlexPersistentVolumeSource;
  readonly azureFile?: AzureFilePersistentVolumeSource;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  readonly quobyte?: QuobyteVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  readonly portworxVolume?: PortworxVolumeSource;
  readonly scaleIO?: ScaleIOPersistentVolumeSource;
  readonly local?: LocalVolumeSource;
  readonly storageos?: StorageOSPersistentVolumeSource;
  readonly csi?: CSIPersistentVolumeSource;
};

export type PersistentVolumeSpec = {
  readonly capacity?: { readonly [key: string]: string };
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  readonly hostPath?: HostPathVolumeSource;
  readonly glusterfs?: GlusterfsPersistentVolumeSource;
  readonly nfs?: NFSVolumeSource;
  readonly rbd?: RBDPersistentVolumeSource;
  readonly iscsi?: ISCSIPersistentVolumeSource;
  readonly cinder?: CinderPersistentVolumeSource;
  readonly cephfs?: CephFSPersistentVolumeSource;
  readonly fc?: FCVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly flexVolume?: FlexPersistentVolumeSource;
  readonly azureFile?: AzureFilePersistentVolumeSource;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  readonly quobyte?: QuobyteVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  readonly portworxVolume?: PortworxVolumeSource;
  readonly scaleIO?: ScaleIOPersistentVolumeSource;
  readonly local?: LocalVolumeSource;
  readonly storageos?: StorageOSPersistentVolumeSource;
  readonly csi?: CSIPersistentVolumeSource;
  readonly accessModes?: readonly string[];
  readonly claimRef?: ObjectReference;
  readonly persistentVolumeReclaimPolicy?: string;
  readonly storageClassName?: string;
  readonly mountOptions?: readonly string[];
  readonly volumeMode?: string;
  readonly nodeAffinity?: VolumeNodeAffinity;
  readonly volumeAttributesClassName?: string;
};

export type PersistentVolumeStatus = {
  readonly phase?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly lastPhaseTransitionTime?: string;
};

export type PhotonPersistentDiskVolumeSource = {
  readonly pdID?: string;
  readonly fsType?: string;
};

export type Pod = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
  readonly status?: PodStatus;
};

export type PodAffinity = {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
};

export type PodAffinityTerm = {
  readonly labelSelector?: metaV1.LabelSelector;
  readonly namespaces?: readonly string[];
  readonly topologyKey?: string;
  readonly namespaceSelector?: metaV1.LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
};

export type PodAntiAffinity = {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
};

export type PodAttachOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
  readonly container?: string;
};

export type PodCertificateProjection = {
  readonly signerName?: string;
  readonly keyType?: string;
  readonly maxExpirationSeconds?: number;
  readonly credentialBundlePath?: string;
  readonly keyPath?: string;
  readonly certificateChainPath?: string;
  readonly userAnnotations?: { readonly [key: string]: string };
  readonly user?: number | bigint;
};

export type PodCondition = {
  readonly type?: string;
  readonly observedGeneration?: number | bigint;
  readonly status?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type PodDNSConfig = {
  readonly nameservers?: readonly string[];
  readonly searches?: readonly string[];
  readonly options?: readonly PodDNSConfigOption[];
};

export type PodDNSConfigOption = {
  readonly name?: string;
  readonly value?: string;
};

export type PodExecOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
  readonly container?: string;
  readonly command?: readonly string[] | null;
};

export type PodExtendedResourceClaimStatus = {
  readonly requestMappings?: readonly ContainerExtendedResourceRequest[] | null;
  readonly resourceClaimName?: string;
};

export type PodIP = {
  readonly ip?: string;
};

export type PodList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Pod>[] | null;
};

export type PodOS = {
  readonly name?: string;
};

export type PodPortForwardOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly ports?: readonly number[];
};

export type PodProxyOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly path?: string;
};

export type PodReadinessGate = {
  readonly conditionType?: string;
};

export type PodResourceClaim = {
  readonly name?: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
};

export type PodResourceClaimStatus = {
  readonly name?: string;
  readonly resourceClaimName?: string;
};

export type PodSchedulingGate = {
  readonly name?: string;
};

export type PodSchedulingGroup = {
  readonly podGroupName?: string;
};

export type PodSecurityContext = {
  readonly seLinuxOptions?: SELinuxOptions;
  readonly windowsOptions?: WindowsSecurityContextOptions;
  readonly runAsUser?: number | bigint;
  readonly runAsGroup?: number | bigint;
  readonly runAsNonRoot?: boolean;
  readonly supplementalGroups?: readonly (number | bigint)[];
  readonly supplementalGroupsPolicy?: string;
  readonly fsGroup?: number | bigint;
  readonly sysctls?: readonly Sysctl[];
  readonly fsGroupChangePolicy?: string;
  readonly seccompProfile?: SeccompProfile;
  readonly appArmorProfile?: AppArmorProfile;
  readonly seLinuxChangePolicy?: string;
};

export type PodSpec = {
  readonly volumes?: readonly Volume[];
  readonly initContainers?: readonly Container[];
  readonly containers?: readonly Container[] | null;
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  readonly restartPolicy?: string;
  readonly terminationGracePeriodSeconds?: number | bigint;
  readonly activeDeadlineSeconds?: number | bigint;
  readonly dnsPolicy?: string;
  readonly nodeSelector?: { readonly [key: string]: string };
  readonly serviceAccountName?: string;
  readonly serviceAccount?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly securityContext?: PodSecurityContext;
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly affinity?: Affinity;
  readonly schedulerName?: string;
  readonly tolerations?: readonly Toleration[];
  readonly hostAliases?: readonly HostAlias[];
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly dnsConfig?: PodDNSConfig;
  readonly readinessGates?: readonly PodReadinessGate[];
  readonly runtimeClassName?: string;
  readonly enableServiceLinks?: boolean;
  readonly preemptionPolicy?: string;
  readonly overhead?: { readonly [key: string]: string };
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly setHostnameAsFQDN?: boolean;
  readonly os?: PodOS;
  readonly hostUsers?: boolean;
  readonly schedulingGates?: readonly PodSchedulingGate[];
  readonly resourceClaims?: readonly PodResourceClaim[];
  readonly resources?: ResourceRequirements;
  readonly hostnameOverride?: string;
  readonly schedulingGroup?: PodSchedulingGroup;
  readonly evictionResponders?: readonly EvictionResponder[];
};

export type PodStatus = {
  readonly observedGeneration?: number | bigint;
  readonly phase?: string;
  readonly conditions?: readonly PodCondition[];
  readonly message?: string;
  readonly reason?: string;
  readonly nominatedNodeName?: string;
  readonly hostIP?: string;
  readonly hostIPs?: readonly HostIP[];
  readonly podIP?: string;
  readonly podIPs?: readonly PodIP[];
  readonly startTime?: string;
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly qosClass?: string;
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  readonly resize?: string;
  readonly resourceClaimStatuses?: readonly PodResourceClaimStatus[];
  readonly extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
  readonly allocatedResources?: { readonly [key: string]: string };
  readonly resources?: ResourceRequirements;
  readonly nodeAllocatableResourceClaimStatuses?: readonly NodeAllocatableResourceClaimStatus[];
  readonly volumeHealth?: readonly PodVolumeHealth[];
};

export type PodTemplate = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly template?: PodTemplateSpec;
};

export type PodTemplateList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<PodTemplate>[] | null;
};

export type PodTemplateSpec = {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
};

export type PodVolumeHealth = {
  readonly name?: string;
  readonly healthConditions?: readonly VolumeHealthCondition[];
  readonly lastTransitionTime?: string | null;
};

export type PortStatus = {
  readonly port?: number;
  readonly protocol?: string;
  readonly error?: string;
};

export type PortworxVolumeSource = {
  readonly volumeID?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
};

export type PreferredSchedulingTerm = {
  readonly weight?: number;
  readonly preference?: NodeSelectorTerm;
};

export type Probe = {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly grpc?: GRPCAction;
  readonly initialDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number | bigint;
};

export type ProbeHandler = {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly grpc?: GRPCAction;
};

export type ProjectedVolumeSource = {
  readonly sources?: readonly VolumeProjection[] | null;
  readonly defaultMode?: number;
  readonly defaultUser?: number | bigint;
};

export type QuobyteVolumeSource = {
  readonly registry?: string;
  readonly volume?: string;
  readonly readOnly?: boolean;
  readonly user?: string;
  readonly group?: string;
  readonly tenant?: string;
};

export type RBDPersistentVolumeSource = {
  readonly monitors?: readonly string[] | null;
  readonly image?: string;
  readonly fsType?: string;
  readonly pool?: string;
  readonly user?: string;
  readonly keyring?: string;
  readonly secretRef?: SecretReference;
  readonly readOnly?: boolean;
};

export type RBDVolumeSource = {
  readonly monitors?: readonly string[] | null;
  readonly image?: string;
  readonly fsType?: string;
  readonly pool?: string;
  readonly user?: string;
  readonly keyring?: string;
  readonly secretRef?: LocalObjectReference;
  readonly readOnly?: boolean;
};

export type ReplicationController = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: ReplicationControllerSpec;
  readonly status?: ReplicationControllerStatus;
};

export type ReplicationControllerCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type ReplicationControllerList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ReplicationController>[] | null;
};

export type ReplicationControllerSpec = {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: { readonly [key: string]: string };
  readonly template?: PodTemplateSpec;
};

export type ReplicationControllerStatus = {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly observedGeneration?: number | bigint;
  readonly conditions?: readonly ReplicationControllerCondition[];
};

export type ResourceClaim = {
  readonly name?: string;
  readonly request?: string;
};

export type ResourceFieldSelector = {
  readonly containerName?: string;
  readonly resource?: string;
  readonly divisor?: string;
};

export type ResourceHealth = {
  readonly resourceID?: string;
  readonly health?: string;
  readonly message?: string;
};

export type ResourceQuota = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: ResourceQuotaSpec;
  readonly status?: ResourceQuotaStatus;
};

export type ResourceQuotaList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ResourceQuota>[] | null;
};

export type ResourceQuotaSpec = {
  readonly hard?: { readonly [key: string]: string };
  readonly scopes?: readonly string[];
  readonly scopeSelector?: ScopeSelector;
};

export type ResourceQuotaStatus = {
  readonly hard?: { readonly [key: string]: string };
  readonly used?: { readonly [key: string]: string };
};

export type ResourceRequirements = {
  readonly limits?: { readonly [key: string]: string };
  readonly requests?: { readonly [key: string]: string };
  readonly claims?: readonly ResourceClaim[];
};

export type ResourceStatus = {
  readonly name?: string;
  readonly resources?: readonly ResourceHealth[];
};

export type SELinuxOptions = {
  readonly user?: string;
  readonly role?: string;
  readonly type?: string;
  readonly level?: string;
};

export type ScaleIOPersistentVolumeSource = {
  readonly gateway?: string;
  readonly system?: string;
  readonly secretRef?: SecretReference | null;
  readonly sslEnabled?: boolean;
  readonly protectionDomain?: string;
  readonly storagePool?: string;
  readonly storageMode?: string;
  readonly volumeName?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
};

export type ScaleIOVolumeSource = {
  readonly gateway?: string;
  readonly system?: string;
  readonly secretRef?: LocalObjectReference | null;
  readonly sslEnabled?: boolean;
  readonly protectionDomain?: string;
  readonly storagePool?: string;
  readonly storageMode?: string;
  readonly volumeName?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
};

export type ScopeSelector = {
  readonly matchExpressions?: readonly ScopedResourceSelectorRequirement[];
};

export type ScopedResourceSelectorRequirement = {
  readonly scopeName?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
};

export type SeccompProfile = {
  readonly type?: string;
  readonly localhostProfile?: string;
};

export type Secret = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly immutable?: boolean;
  readonly data?: { readonly [key: string]: string };
  readonly stringData?: { readonly [key: string]: string };
  readonly type?: string;
};

export type SecretEnvSource = {
  readonly name?: string;
  readonly optional?: boolean;
};

export type SecretKeySelector = {
  readonly name?: string;
  readonly key?: string;
  readonly optional?: boolean;
};

export type SecretList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Secret>[] | null;
};

export type SecretProjection = {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
};

export type SecretReference = {
  readonly name?: string;
  readonly namespace?: string;
};

export type SecretVolumeSource = {
  readonly secretName?: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
  readonly defaultUser?: number | bigint;
};

export type SecurityContext = {
  readonly capabilities?: Capabilities;
  readonly privileged?: boolean;
  readonly seLinuxOptions?: SELinuxOptions;
  readonly windowsOptions?: WindowsSecurityContextOptions;
  readonly runAsUser?: number | bigint;
  readonly runAsGroup?: number | bigint;
  readonly runAsNonRoot?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly procMount?: string;
  readonly seccompProfile?: SeccompProfile;
  readonly appArmorProfile?: AppArmorProfile;
};

export type Service = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: ServiceSpec;
  readonly status?: ServiceStatus;
};

export type ServiceAccount = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly secrets?: readonly ObjectReference[];
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly automountServiceAccountToken?: boolean;
};

export type ServiceAccountList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ServiceAccount>[] | null;
};

export type ServiceAccountTokenProjection = {
  readonly audience?: string;
  readonly expirationSeconds?: number | bigint;
  readonly path?: string;
  readonly user?: number | bigint;
};

export type ServiceList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Service>[] | null;
};

export type ServicePort = {
  readonly name?: string;
  readonly protocol?: string;
  readonly appProtocol?: string;
  readonly port?: number;
  readonly targetPort?: number | string;
  readonly nodePort?: number;
};

export type ServiceProxyOptions = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly path?: string;
};

export type ServiceSpec = {
  readonly ports?: readonly ServicePort[];
  readonly selector?: { readonly [key: string]: string };
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly type?: string;
  readonly externalIPs?: readonly string[];
  readonly sessionAffinity?: string;
  readonly loadBalancerIP?: string;
  readonly loadBalancerSourceRanges?: readonly string[];
  readonly externalName?: string;
  readonly externalTrafficPolicy?: string;
  readonly healthCheckNodePort?: number;
  readonly publishNotReadyAddresses?: boolean;
  readonly sessionAffinityConfig?: SessionAffinityConfig;
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly loadBalancerClass?: string;
  readonly internalTrafficPolicy?: string;
  readonly trafficDistribution?: string;
};

export type ServiceStatus = {
  readonly loadBalancer?: LoadBalancerStatus;
  readonly conditions?: readonly metaV1.Condition[];
};

export type SessionAffinityConfig = {
  readonly clientIP?: ClientIPConfig;
};

export type SleepAction = {
  readonly seconds?: number | bigint;
};

export type StorageOSPersistentVolumeSource = {
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: ObjectReference;
};

export type StorageOSVolumeSource = {
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
};

export type Sysctl = {
  readonly name?: string;
  readonly value?: string;
};

export type TCPSocketAction = {
  readonly port?: number | string;
  readonly host?: string;
};

export type Taint = {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly timeAdded?: string;
};

export type Toleration = {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number | bigint;
};

export type TopologySelectorLabelRequirement = {
  readonly key?: string;
  readonly values?: readonly string[] | null;
};

export type TopologySelectorTerm = {
  readonly matchLabelExpressions?: readonly TopologySelectorLabelRequirement[];
};

export type TopologySpreadConstraint = {
  readonly maxSkew?: number;
  readonly topologyKey?: string;
  readonly whenUnsatisfiable?: string;
  readonly labelSelector?: metaV1.LabelSelector;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
};

export type TypedLocalObjectReference = {
  readonly apiGroup?: string | null;
  readonly kind?: string;
  readonly name?: string;
};

export type TypedObjectReference = {
  readonly apiGroup?: string | null;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
};

export type Volume = {
  readonly name?: string;
  readonly hostPath?: HostPathVolumeSource;
  readonly emptyDir?: EmptyDirVolumeSource;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  readonly gitRepo?: GitRepoVolumeSource;
  readonly secret?: SecretVolumeSource;
  readonly nfs?: NFSVolumeSource;
  readonly iscsi?: ISCSIVolumeSource;
  readonly glusterfs?: GlusterfsVolumeSource;
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  readonly rbd?: RBDVolumeSource;
  readonly flexVolume?: FlexVolumeSource;
  readonly cinder?: CinderVolumeSource;
  readonly cephfs?: CephFSVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly downwardAPI?: DownwardAPIVolumeSource;
  readonly fc?: FCVolumeSource;
  readonly azureFile?: AzureFileVolumeSource;
  readonly configMap?: ConfigMapVolumeSource;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  readonly quobyte?: QuobyteVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  readonly projected?: ProjectedVolumeSource;
  readonly portworxVolume?: PortworxVolumeSource;
  readonly scaleIO?: ScaleIOVolumeSource;
  readonly storageos?: StorageOSVolumeSource;
  readonly csi?: CSIVolumeSource;
  readonly ephemeral?: EphemeralVolumeSource;
  readonly image?: ImageVolumeSource;
};

export type VolumeDevice = {
  readonly name?: string;
  readonly devicePath?: string;
};

export type VolumeHealthCondition = {
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
};

export type VolumeHealthStatus = {
  readonly healthConditions?: readonly VolumeHealthCondition[];
  readonly lastTransitionTime?: string | null;
};

export type VolumeMount = {
  readonly name?: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly mountPath?: string;
  readonly subPath?: string;
  readonly mountPropagation?: string;
  readonly subPathExpr?: string;
  readonly bindMountOptions?: readonly string[];
};

export type VolumeMountStatus = {
  readonly name?: string;
  readonly mountPath?: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly volumeStatus?: VolumeStatus;
};

export type VolumeNodeAffinity = {
  readonly required?: NodeSelector;
};

export type VolumeProjection = {
  readonly secret?: SecretProjection;
  readonly downwardAPI?: DownwardAPIProjection;
  readonly configMap?: ConfigMapProjection;
  readonly serviceAccountToken?: ServiceAccountTokenProjection;
  readonly clusterTrustBundle?: ClusterTrustBundleProjection;
  readonly podCertificate?: PodCertificateProjection;
};

export type VolumeResourceRequirements = {
  readonly limits?: { readonly [key: string]: string };
  readonly requests?: { readonly [key: string]: string };
};

export type VolumeSource = {
  readonly hostPath?: HostPathVolumeSource;
  readonly emptyDir?: EmptyDirVolumeSource;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  readonly gitRepo?: GitRepoVolumeSource;
  readonly secret?: SecretVolumeSource;
  readonly nfs?: NFSVolumeSource;
  readonly iscsi?: ISCSIVolumeSource;
  readonly glusterfs?: GlusterfsVolumeSource;
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  readonly rbd?: RBDVolumeSource;
  readonly flexVolume?: FlexVolumeSource;
  readonly cinder?: CinderVolumeSource;
  readonly cephfs?: CephFSVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly downwardAPI?: DownwardAPIVolumeSource;
  readonly fc?: FCVolumeSource;
  readonly azureFile?: AzureFileVolumeSource;
  readonly configMap?: ConfigMapVolumeSource;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  readonly quobyte?: QuobyteVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  readonly projected?: ProjectedVolumeSource;
  readonly portworxVolume?: PortworxVolumeSource;
  readonly scaleIO?: ScaleIOVolumeSource;
  readonly storageos?: StorageOSVolumeSource;
  readonly csi?: CSIVolumeSource;
  readonly ephemeral?: EphemeralVolumeSource;
  readonly image?: ImageVolumeSource;
};

export type VolumeStatus = {
  readonly image?: ImageVolumeStatus;
};

export type VsphereVirtualDiskVolumeSource = {
  readonly volumePath?: string;
  readonly fsType?: string;
  readonly storagePolicyName?: string;
  readonly storagePolicyID?: string;
};

export type WeightedPodAffinityTerm = {
  readonly weight?: number;
  readonly podAffinityTerm?: PodAffinityTerm;
};

export type WindowsSecurityContextOptions = {
  readonly gmsaCredentialSpecName?: string;
  readonly gmsaCredentialSpec?: string;
  readonly runAsUserName?: string;
  readonly hostProcess?: boolean;
};
