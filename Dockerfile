# The service with the Node and the PostgreSQL that npm installs: nothing of it comes from the base image but glibc, a shell and tini.
#   docker build -t pointkeeper .        docker buildx build --platform linux/amd64,linux/arm64 -t pointkeeper .
# A base image without a shell, or with musl (Alpine), does not do: bin/pointkeeper is a shell script, Node and PostgreSQL need glibc.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# prune writes package-lock.json anew, and bin/pointkeeper runs the sources where that is newer than what was built: hence the touch
RUN npm rebuild && npm run build \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && touch lib/cli.js \
  && rm -rf node_modules/node-linux-*/include node_modules/node-linux-*/share node_modules/node-linux-*/lib \
    node_modules/.cache test bench demo docs/images deploy

FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --no-install-recommends -y ca-certificates tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --no-create-home --home-dir /data pointkeeper \
  && install -d -o pointkeeper -g pointkeeper -m 700 /data /backups
COPY --from=build /app /app
WORKDIR /data
ENV HOST=0.0.0.0 PORT=3000 POINTKEEPER_HEALTH_PORT=3000 POINTKEEPER_DATA_DIR=/data PATH=/app/bin:/app/node_modules/.bin:$PATH
USER 10001
VOLUME ["/data", "/backups"]
EXPOSE 3000
# A worker has no other port than that of its health.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "pointkeeper"]
CMD ["start"]
