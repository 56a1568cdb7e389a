# Builds the product and leaves the build tools out of the image. The version of Node is that of package.json.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages packages
RUN npm ci
COPY vite.config.ts tsconfig*.json ./
COPY artwork artwork
COPY scripts scripts
COPY src src
RUN npm run build

FROM node:24.21.0-bookworm-slim AS needs
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages packages
RUN npm ci --omit=dev

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=needs /app/node_modules node_modules
COPY package.json ./
COPY packages packages
COPY migrations migrations
COPY artwork artwork
COPY scripts scripts
COPY src src
COPY --from=build /app/dist dist
# The process can write only its compile cache and its data, not the program.
RUN mkdir -p .cache /data && chown node:node .cache /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 3000
# Ready, not just alive: services that wait for this container need its answers.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Like `npm start`, but without npm, so that SIGTERM reaches the program; it stops within 5 s.
CMD ["node", "--max-semi-space-size=4", "--max-old-space-size=1024", "src/start.ts"]
