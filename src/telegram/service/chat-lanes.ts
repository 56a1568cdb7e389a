/** Work of one lane is done one after the other, that of different lanes side by side. */
export interface ChatLanes {
  /** `work` must not throw. */
  enter(lane: string, work: () => Promise<void>): void;
  lengthOf(lane: string): number;
  /** How much waits or is being done in all lanes. */
  size(): number;
  /** Drops what waits behind something else. */
  clear(): void;
}

/** So many begin side by side, so that a burst leaves the database to others as well; one that takes longer makes room. */
const atOnceMax = 8;
const makesRoomMs = 200;

export function createChatLanes(): ChatLanes {
  /** The first of each is being done. */
  const lanes = new Map<string, (() => Promise<void>)[]>();
  const enterSlot = createSlots();
  let size = 0;
  const run = async (name: string, lane: (() => Promise<void>)[]): Promise<void> => {
    for (let [first] = lane; first !== undefined; [first] = lane) {
      const leave = await enterSlot();
      await first();
      leave();
      lane.shift();
      size -= 1;
    }
    lanes.delete(name);
  };
  return {
    enter: (name, work) => {
      size += 1;
      const lane = lanes.get(name) ?? [];
      lane.push(work);
      if (lanes.has(name)) return;
      lanes.set(name, lane);
      void run(name, lane);
    },
    lengthOf: (name) => lanes.get(name)?.length ?? 0,
    size: () => size,
    clear: () => {
      for (const lane of lanes.values()) size -= lane.splice(1).length;
    },
  };
}

function createSlots(): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const free = (): void => {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else next();
  };
  return async () => {
    if (taken < atOnceMax) taken += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let isHeld = true;
    const leave = (): void => {
      clearTimeout(timer);
      if (isHeld) free();
      isHeld = false;
    };
    const timer = setTimeout(leave, makesRoomMs);
    timer.unref();
    return leave;
  };
}
