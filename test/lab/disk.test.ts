/** The lab's disk, fault by fault: what is left of what was written, synced or not. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import { Dice } from "../../src/lab/dice.js";
import { Disk, type DiskUser, type LabDisk } from "../../src/lab/world/disk.js";

const awake: DiskUser = { whenAwake: (read) => read() };
const latencyMs = { look: 1, change: 1, sync: 10 };
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (written: string) => new TextEncoder().encode(written);

function createDisk(seed: number): { readonly disk: Disk; readonly now: LabDisk } {
  const world = createVirtualWorld(0);
  const disk = new Disk({ clock: world.createClock(), dice: new Dice(seed), latencyMs });
  return { disk, now: disk.look() };
}

async function contentOf(now: LabDisk, path: string): Promise<string> {
  return text(await now.read(path, 0, 1e6));
}

/** A log of one synced record, and what `act` does to it before the power goes; what was left, over many seeds. */
async function leftAfter(act: (now: LabDisk, disk: Disk) => Promise<unknown>): Promise<readonly string[]> {
  const left = new Set<string>();
  for (let seed = 1; seed <= 400; seed += 1) {
    const { disk, now } = createDisk(seed);
    await now.makeDirectory("/log");
    await now.create("/log/1");
    await now.append("/log/1", bytes("first;"));
    for (const path of ["/log/1", "/log", "/"]) await now.sync(path);
    await act(now, disk);
    disk.losePower();
    const names = [...(await now.list("/log"))].toSorted();
    const contents = await Promise.all(
      names.map(async (name) => `${name}=${await contentOf(now, `/log/${name}`)}`),
    );
    left.add(contents.join(" ").replaceAll("\0", "0"));
  }
  return [...left].toSorted();
}

describe("a power loss", () => {
  it("when all was synced, takes nothing", async () => {
    const left = await leftAfter(async (now) => {
      await now.append("/log/1", bytes("second;"));
      await now.sync("/log/1");
    });
    expect(left).toEqual(["1=first;second;"]);
  });

  it("when an append was not synced, leaves none of it, all of it, a torn tail, or a length without its bytes", async () => {
    const left = await leftAfter(async (now) => now.append("/log/1", bytes("second;")));
    expect(left).toContain("1=first;");
    expect(left).toContain("1=first;second;");
    expect(left).toContain("1=first;sec");
    expect(left).toContain("1=first;0000000");
    for (const content of left) expect(content).toMatch(/^1=first;(?:s|$|0)/);
  });

  it("when bytes were written over others, each is the old one or the new one, and those beside them stay", async () => {
    const left = await leftAfter(async (now) => now.write("/log/1", 1, bytes("IRS")));
    expect(left).toContain("1=first;");
    expect(left).toContain("1=fIRSt;");
    expect(left).toContain("1=fIRst;");
    for (const content of left) expect(content).toMatch(/^1=f[Ii][Rr][Ss]t;$/);
  });

  it("when pages of one write were not synced, some may be there without those before them", async () => {
    const page = (letter: string) => letter.repeat(512);
    const left = await leftAfter(async (now) => {
      await now.truncate("/log/1", 0);
      await now.append("/log/1", bytes(page("a") + page("b")));
    });
    expect(left.some((content) => /^1=(?:first;|0{6})0{506}b{512}$/.test(content))).toBe(true);
    expect(left).toContain(`1=${page("a")}${page("b")}`);
  });

  it("when a file is new, its name is there only after a sync of its directory, whatever was synced of the file", async () => {
    const left = await leftAfter(async (now) => {
      await now.create("/log/2");
      await now.append("/log/2", bytes("other"));
      await now.sync("/log/2");
    });
    expect(left).toEqual(["1=first;", "1=first; 2=other"]);
    const synced = await leftAfter(async (now) => {
      await now.create("/log/2");
      await now.sync("/log");
    });
    expect(synced).toEqual(["1=first; 2="]);
  });

  it("when a file was renamed over another, the name stands for the old one or the new one", async () => {
    const left = await leftAfter(async (now) => {
      await now.create("/log/new");
      await now.append("/log/new", bytes("second;"));
      await now.sync("/log/new");
      await now.sync("/log");
      await now.rename("/log/new", "/log/1");
    });
    expect(left).toEqual(["1=first; new=second;", "1=second;"]);
  });

  it("when a file was removed or linked, each may be so or not, for itself", async () => {
    const left = await leftAfter(async (now) => {
      await now.link("/log/1", "/log/2");
      await now.remove("/log/1");
    });
    expect(left).toEqual(["", "1=first;", "1=first; 2=first;", "2=first;"]);
  });

  it("when a step is under way, it never ends, and who opens the disk after that goes on", async () => {
    const world = createVirtualWorld(0);
    const disk = new Disk({ clock: world.createClock(), dice: new Dice(1), latencyMs });
    const before = disk.open(awake);
    let ended = false;
    const end = () => {
      ended = true;
    };
    before.makeDirectory("/log").then(end, end);
    disk.losePower();
    await world.advance(1_000);
    expect(ended).toBe(false);
    const made = disk.open(awake).makeDirectory("/log");
    await world.advance(1_000);
    expect(await made).toBe("/log");
  });
});

describe("a sync that fails", () => {
  it("of a file: it fails once, the next one succeeds, what was written is shown, and is gone with the power", async () => {
    const left = await leftAfter(async (now, disk) => {
      await now.append("/log/1", bytes("second;"));
      disk.failNextSync("file");
      await expect(now.sync("/log/1")).rejects.toMatchObject({ code: "EIO" });
      await now.sync("/log/1");
      expect(await contentOf(now, "/log/1")).toBe("first;second;");
    });
    expect(left).toEqual(["1=first;"]);
  });

  it("of a file: what is written after it to another page is kept, the bytes before it are not", async () => {
    const page = "b".repeat(512);
    const left = await leftAfter(async (now, disk) => {
      await now.append("/log/1", bytes("c".repeat(506)));
      disk.failNextSync("file");
      await expect(now.sync("/log/1")).rejects.toMatchObject({ code: "EIO" });
      await now.append("/log/1", bytes(page));
      await now.sync("/log/1");
    });
    expect(left).toEqual([`1=first;${"0".repeat(506)}${page}`]);
  });

  it("of a directory: nothing can be changed or synced before the machine starts again", async () => {
    const { disk, now } = createDisk(1);
    await now.makeDirectory("/log");
    disk.failNextSync("directory");
    await expect(now.sync("/")).rejects.toMatchObject({ code: "EIO" });
    expect(disk.readOnly).toBe(true);
    await expect(now.sync("/")).rejects.toMatchObject({ code: "EIO" });
    await expect(now.create("/log/1")).rejects.toMatchObject({ code: "EROFS" });
    expect(await now.list("/")).toEqual(["log"]);
    disk.losePower();
    await now.makeDirectory("/log");
    await now.sync("/");
  });
});

describe("a full disk", () => {
  it("takes a first part of what is appended, refuses new names, and takes what is written over other bytes", async () => {
    const parts = new Set<string>();
    for (let seed = 1; seed <= 50; seed += 1) {
      const { disk, now } = createDisk(seed);
      await now.create("/1");
      await now.append("/1", bytes("first;"));
      disk.full = true;
      await expect(now.append("/1", bytes("second;"))).rejects.toMatchObject({ code: "ENOSPC" });
      for (const step of [now.create("/2"), now.link("/1", "/2"), now.makeDirectory("/3")])
        await expect(step).rejects.toMatchObject({ code: "ENOSPC" });
      parts.add(await contentOf(now, "/1"));
      await now.write("/1", 0, bytes("FIRST"));
      disk.heal();
      await now.append("/1", bytes("!"));
      expect(await contentOf(now, "/1")).toMatch(/^FIRST;s?e?c?o?n?d?!$/);
    }
    expect(parts).toContain("first;");
    expect(parts).toContain("first;seco");
  });
});

describe("a stalled disk", () => {
  it("keeps all steps waiting until it goes on, and looks from outside are not kept", async () => {
    const world = createVirtualWorld(0);
    const disk = new Disk({ clock: world.createClock(), dice: new Dice(1), latencyMs });
    disk.stall();
    let endedAt: number | undefined;
    void disk
      .open(awake)
      .makeDirectory("/log")
      .then(() => {
        endedAt = world.nowMs;
      });
    await world.advance(5_000);
    expect(endedAt).toBeUndefined();
    expect(await disk.look().list("/")).toEqual([]);
    disk.resume();
    await world.advance(100);
    expect(endedAt).toBeGreaterThan(5_000);
    expect(endedAt).toBeLessThanOrEqual(5_000 + latencyMs.change);
  });
});

describe("a bit that flips", () => {
  it("changes one bit of one byte where it lies, also after a power loss", async () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const { disk, now } = createDisk(seed);
      await now.create("/1");
      await now.append("/1", bytes("first;"));
      await now.sync("/1");
      await now.sync("/");
      const at = disk.flipBit("/1") ?? -1;
      disk.losePower();
      const after = await now.read("/1", 0, 100);
      const changed = [...after].flatMap((byte, place) => (byte === bytes("first;")[place] ? [] : [place]));
      expect(changed).toEqual([at]);
      const bits = (after[at] ?? 0) ^ (bytes("first;")[at] ?? 0);
      expect(Math.log2(bits) % 1).toBe(0);
    }
  });
});

describe("a process that uses the disk", () => {
  it("when it stands still, reads what a step brought once it goes on, though the step was done before", async () => {
    const world = createVirtualWorld(0);
    const disk = new Disk({ clock: world.createClock(), dice: new Dice(1), latencyMs });
    const inbox: (() => void)[] = [];
    const stopped: DiskUser = { whenAwake: (read) => void inbox.push(read) };
    let made = false;
    void disk
      .open(stopped)
      .makeDirectory("/log")
      .then(() => {
        made = true;
      });
    await world.advance(100);
    expect(await disk.look().list("/")).toEqual(["log"]);
    expect(made).toBe(false);
    for (const read of inbox) read();
    await world.settle();
    expect(made).toBe(true);
  });
});
