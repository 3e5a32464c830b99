# Marquee as a container (docs/operating.md). Web app and server are built; Node runs the commands from their sources. The
# image has only the dependencies of the server. The user it runs as cannot write to any of its files.
ARG NODE=24-slim

FROM node:${NODE} AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY platform/package.json platform/
COPY identity/package.json identity/
COPY server/package.json server/
COPY web/package.json web/
COPY e2e/package.json e2e/

FROM manifests AS built
RUN --mount=type=cache,target=/root/.npm \
    npm ci --include=dev --workspace contract --workspace platform --workspace identity --workspace server --workspace web \
    --ignore-scripts --no-audit --no-fund
COPY tsconfig.base.json ./
COPY contract contract
COPY web web
RUN cd web && npx vite build --logLevel warn
COPY platform platform
COPY identity identity
COPY server server
RUN node server/build.mjs

FROM manifests AS dependencies
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:${NODE} AS program
WORKDIR /app
COPY package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY contract contract
COPY platform platform
COPY identity identity
COPY server server
COPY deploy/try.mjs deploy/
COPY --from=built /app/web/dist web/dist
COPY --from=built /app/server/dist server/dist

# Starts the program once, so that a program that does not start fails the build, and keeps Node's compile cache. Node
# uses the cache only for the user who wrote it.
FROM program AS tried
RUN install -d -o node -g node /app/compiled
USER 1000:1000
RUN NODE_ENV=production NODE_COMPILE_CACHE=/app/compiled node deploy/try.mjs

FROM program
COPY --from=tried --chown=root:root /app/compiled compiled
RUN install -d -o node -g node -m 700 /data
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/compiled \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=32768 \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--no-allocation-site-pretenuring", "--heap-growing-percent=60", "server/dist/main.js"]
