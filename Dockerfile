# Build and start kadmit, then connect from this machine:
#
#   docker build -t kadmit .
#   docker run --rm -p 127.0.0.1:6443:6443 --name kadmit kadmit
#   docker exec kadmit cat /var/lib/kadmit/kubeconfig > kadmit.kubeconfig
#   kubectl --kubeconfig kadmit.kubeconfig --server https://127.0.0.1:6443 get namespaces
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm pack && mv kadmit-*.tgz kadmit.tgz

FROM node:24-slim
# --data-dir needs classic-level (LevelDB).
RUN --mount=from=build,source=/build,target=/build \
    npm install --global /build/kadmit.tgz classic-level@3.0.0 && \
    install --directory --owner=node --group=node /var/lib/kadmit
USER node
WORKDIR /var/lib/kadmit
EXPOSE 6443
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s \
    CMD NODE_EXTRA_CA_CERTS=/var/lib/kadmit/ca.crt node -e "fetch('https://localhost:6443/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["kadmit"]
CMD ["serve", "--bind-address", "0.0.0.0", "--secure-port", "6443", "--external-hostname", "kadmit", "--cert-dir", "/var/lib/kadmit", "--write-kubeconfig", "/var/lib/kadmit/kubeconfig"]
