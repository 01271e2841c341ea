/**
 * File systems that are refused, by the type number of Linux.
 *
 * Shared by several hosts, or possibly so: link(2) may be sent twice and report
 * a success as EEXIST, fsync may end at the client, and directory listings come
 * from caches, while a directory of versions is for one host. FUSE is refused as a whole
 * since its type does not tell sshfs from a local one. A number that is not
 * listed is taken for local: the list is a guard against mistakes, not a proof.
 */

import { createError } from "../errors/index.js";
import type { FileSystem } from "./file-system.js";

const refused: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB2"],
  [0xff534d42, "CIFS"],
  [0x564c, "NCP"],
  [0x01021997, "9p"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x73757245, "Coda"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x19830326, "BeeGFS"],
  [0xaad7aaea, "PanFS"],
  [0x20030528, "OrangeFS"],
  [0x01161970, "GFS2"],
  [0x7461636f, "OCFS2"],
  [0x786f4256, "a VirtualBox share"],
  [0xbacbacbc, "a VMware share"],
  [0x65735546, "FUSE (GlusterFS, sshfs, a container share or the like)"],
]);

/** Throws STORE_UNSUPPORTED, naming the type, when the directory may be seen by another host. */
export async function refuseShared(files: FileSystem, directory: string): Promise<void> {
  // Some platforms report the 32-bit number with its sign.
  const type = refused.get((await files.mountType(directory)) >>> 0);
  if (type === undefined) return;
  throw createError(
    "STORE_UNSUPPORTED",
    `${directory} is on ${type}; numbered versions need a local file system`,
  );
}
