import { describeStories } from '../harness/kubectl-stories.ts';

// Both templates read the published schemas: version 3 and version 2. Source: spec/kubectl.md section 4.
describeStories({
  'explain reads version 3': [
    {
      run: 'explain deployment.spec.strategy',
      out: /^GROUP: apps\nKIND: Deployment\nVERSION: v1\n\nFIELD: strategy <DeploymentStrategy>.*rollingUpdate\s<RollingUpdateDeployment>.*type\s<string>/s,
    },
    {
      run: 'explain pod.spec.containers',
      out: /^KIND: Pod\nVERSION: v1\n\nFIELD: containers <\[\]Container>.*name\s<string> -required-/s,
    },
    {
      run: 'explain pod.spec.nosuch',
      code: 1,
      out: 'KIND: Pod\nVERSION: v1',
      err: 'error: field "nosuch" does not exist',
    },
  ],
  'explain reads version 2': [
    {
      run: 'explain deployment.spec.strategy --output=plaintext-openapiv2',
      out: /^KIND: Deployment\nVERSION: apps\/v1\n\nRESOURCE: strategy <Object>.*rollingUpdate\s<Object>.*type\s<string>$/s,
    },
    {
      run: 'explain pod.spec.containers.name --output=plaintext-openapiv2',
      out: /^KIND: Pod\nVERSION: v1\n\nFIELD: name <string>/,
    },
    {
      run: 'explain hpa.spec.metrics.resource.target --recursive --output=plaintext-openapiv2',
      out: /^KIND: HorizontalPodAutoscaler\nVERSION: autoscaling\/v2\n.*averageValue\s<string>/s,
    },
    {
      run: 'explain pod.spec.nosuch --output=plaintext-openapiv2',
      code: 1,
      err: 'error: field "nosuch" does not exist',
    },
  ],
});
