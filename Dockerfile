# docker build -t tollgate . && docker run -p 8443:8443 -v tollgate:/data \
#   -e ORIGIN=https://localhost:8443 -e ADMIN_KEY=$(openssl rand -hex 16) tollgate
# src/deploy has compose files, and /docs/operations explains them.
# Not Alpine: the package of STORE=disk has no build for musl on arm64.
ARG NODE=node:24-slim

# On the machine that builds: what these two stages make is the same for every platform.
FROM --platform=$BUILDPLATFORM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node src/tooling/build.js package

FROM --platform=$BUILDPLATFORM ${NODE} AS packages
WORKDIR /app
COPY package-lock.json ./
COPY --from=build /app/build/package/package.json ./
# What the package imports, in the versions of the lock file.
RUN npm install --ignore-scripts --no-audit --no-fund --omit=dev --omit=optional --omit=peer && mkdir /data

FROM ${NODE}
LABEL org.opencontainers.image.title="Tollgate" \
      org.opencontainers.image.description="A simulated OAuth 2.0 service with rate limits" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/build/package ./
# Group 0, so that any other user of this group can write: some clusters choose the user.
COPY --from=packages --chown=10001:0 --chmod=770 /data /data
# Memory of password checks (16 MB each) goes back to the system. glibc would keep it for each thread.
ENV MALLOC_MMAP_THRESHOLD_=1048576
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8443 MANAGEMENT_PORT=9090 DATA_DIR=/data LOG=json
USER 10001:0
VOLUME /data
EXPOSE 8443
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=10s --start-interval=1s --interval=15s --timeout=3s \
  CMD ["node", "/app/build/host/tollgate.js", "ready"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "--v8-pool-size=1", "/app/build/host/tollgate.js"]
