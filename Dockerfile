# The program in a container: an unprivileged user, a read-only root, everything that is kept in /data.
#   docker build -t agent-cli .                          console and missions on port 8000
#   docker build -t agent-cli-simulation --target simulation .   the simulation alone on port 8001; needs API_TOKEN
# BASE is an image with Node 20.19, 22 or 24, by its tag or by its digest (name@sha256:…); the first stage also needs apt-get.
ARG BASE=docker.io/library/node:22-bookworm-slim

FROM ${BASE} AS build
RUN apt-get update && apt-get install --yes --no-install-recommends g++ make python3 tini
WORKDIR /source
COPY . .
RUN npm ci --workspaces=false --ignore-scripts --no-audit --no-fund
# The better-sqlite3 for a Node before 22.14 is compiled here: its install script would download code that no checksum of package-lock.json covers.
RUN [ "$(node -p process.versions.napi)" -ge 10 ] || npm run build-release --prefix node_modules/better-sqlite3
RUN node scripts/build.mjs
RUN mkdir -p /out/data && node scripts/place.mjs /out/agent-cli && cp /usr/bin/tini-static /out/tini

FROM ${BASE} AS program
COPY --from=build --chown=0:0 /out/tini /usr/bin/tini
COPY --from=build --chown=0:0 /out/agent-cli /opt/agent-cli
COPY --from=build --chown=10001:10001 /out/data /data
ENV NODE_ENV=production HOME=/data XDG_DATA_HOME=/data AGENT_HOME=/data/home AGENT_WITNESS=/data/witness
USER 10001:10001
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
# The kernel drops signals to process 1 that it has no handler for: with tini in its place, every command can be stopped at any moment.
ENTRYPOINT ["/usr/bin/tini", "-s", "--", "node", "/opt/agent-cli/scripts/container.mjs"]

FROM program AS simulation
EXPOSE 8001
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "/opt/agent-cli/scripts/container.mjs", "healthy", "8001"]
CMD ["simulation"]

FROM program AS agent
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "/opt/agent-cli/scripts/container.mjs", "healthy", "8000"]
CMD ["agent"]
