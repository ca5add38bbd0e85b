# Assay in a container: runs without root and with a read-only root file system, contains no build tools.
#   docker build --target assay -t assay .          conformance
#   docker build --target assay-load -t assay-load .   also load, with k6
# See docs/ci.md for how to run it.
ARG NODE=docker.io/library/node:22-bookworm-slim
ARG K6=docker.io/grafana/k6:2.2.0

FROM ${NODE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-fund --no-audit
COPY . .
RUN npm run --silent build
RUN container/install.sh /opt/assay

FROM ${NODE} AS assay
COPY --from=build /opt/assay /opt/assay
RUN ln -s /opt/assay/node_modules/.bin/assay /usr/local/bin/assay
# A run writes below the working folder and to /tmp.
WORKDIR /work
RUN chown node:node /work
USER node
ENTRYPOINT ["assay"]
CMD ["--help"]

FROM ${K6} AS k6

FROM assay AS assay-load
COPY --from=k6 /usr/bin/k6 /usr/local/bin/k6
