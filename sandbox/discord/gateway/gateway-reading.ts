/** The current state of the gateway. */
export type GatewayReading = {
  isUp: boolean;
  connections: {
    sessionId: string | null;
    shard: readonly [number, number] | null;
    intents: number;
    sequence: number;
    heartbeats: number;
  }[];
  /** Since the last reset of the counters. */
  identifies: number;
  resumes: number;
  invalidSessions: number;
  heartbeats: number;
  memberRequests: number;
  /** Events sent, by name. */
  events: Record<string, number>;
  /** Close codes sent by the gateway. */
  closes: Record<string, number>;
};
