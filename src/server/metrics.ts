import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A figure that is read when somebody asks for the metrics; null leaves it out. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  readonly read: () => number | null;
}

export interface Metrics {
  /** Counts one answer of a ready body; paths come from a fixed set. */
  countHot(path: string, status: number): void;
  observe(answer: { method: string; route: string; status: number; seconds: number }): void;
  render(): Promise<{ contentType: string; text: string }>;
}

/** Prometheus metrics: the process with its event-loop lag, every answer, and the given gauges. */
export function createMetrics(gauges: readonly GaugeSource[] = []): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const hot = new Map<string, { fresh: number; notModified: number }>();
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, framework routes',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  registry.registerMetric(hotCounter(hot));
  for (const gauge of gauges) registry.registerMetric(gaugeFrom(gauge));
  return {
    countHot: (path, status) => {
      let counts = hot.get(path);
      if (counts === undefined) hot.set(path, (counts = { fresh: 0, notModified: 0 }));
      if (status === 304) counts.notModified += 1;
      else counts.fresh += 1;
    },
    observe: ({ method, route, status, seconds }) => durations.observe({ method, route, status }, seconds),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function hotCounter(hot: ReadonlyMap<string, { fresh: number; notModified: number }>): Counter {
  return new Counter({
    name: 'http_hot_answers_total',
    help: 'Answers from ready bodies: pages, assets, the treasury',
    labelNames: ['path', 'status'],
    registers: [],
    collect() {
      this.reset();
      for (const [path, { fresh, notModified }] of hot) {
        this.inc({ path, status: 200 }, fresh);
        this.inc({ path, status: 304 }, notModified);
      }
    },
  });
}

function gaugeFrom({ name, help, read }: GaugeSource): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect() {
      const value = read();
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}
