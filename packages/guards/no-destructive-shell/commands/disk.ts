import { firstOf, shown } from "@guards/shell";
import { lossOf } from "../ground.ts";
import { isOnlyAsking, type Rule, type Rules } from "../rule.ts";

/**
 * Programs that make, divide or wipe file systems. `when`: a word that makes the call destructive; absent, every call is,
 * unless a word of `unless` stands in it. `isNamed`: operands are names of volumes, never files.
 */
type Disk = { when?: RegExp; unless?: RegExp; isNamed?: true };

const DISKS: Readonly<Record<string, Disk>> = {
  mkfs: { unless: /^-(n|V)$/ },
  mke2fs: { unless: /^-n$/ },
  mkswap: {},
  mkdosfs: {},
  newfs: { unless: /^-N$/ },
  wipefs: { when: /^(-[a-z]*[ao][a-z]*|--all|--offset.*)$/ },
  parted: { when: /^(mk.*|rm|resizepart|rescue|name|set)$/ },
  fdisk: { unless: /^(-l|--list|-s|--getsz)$/ },
  sfdisk: { unless: /^(-l|--list|-d|--dump|-J|--json|-F|--list-free|-V|--verify)$/ },
  cfdisk: {},
  gdisk: { unless: /^-l$/ },
  sgdisk: { when: /^(-[Zzdong].*|--zap.*|--delete.*|--new.*|--clear)$/ },
  blkdiscard: {},
  badblocks: { when: /^-\w*w/ },
  zpool: { when: /^(destroy|labelclear)$/, isNamed: true },
  zfs: { when: /^(destroy|rollback)$/, isNamed: true },
  btrfs: { when: /^delete$/ },
  lvremove: { isNamed: true },
  vgremove: { isNamed: true },
  pvremove: { isNamed: true },
  cryptsetup: { when: /^(luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey|reencrypt)$/ },
  mdadm: { when: /^(--zero-superblock|--create|-C)$/ },
  hdparm: { when: /^--(security-erase.*|trim-sector.*|make-bad-sector|write-sector)$/ },
  nvme: { when: /^(format|sanitize)$/ },
  diskutil: { when: /^(erase\w*|partitionDisk|zeroDisk|secureErase|randomDisk|deleteContainer|deleteVolume)$/i },
};

export const disks: Rules = Object.fromEntries(
  Object.entries(DISKS).map(([name, disk]): [string, Rule] => [name, onDisk(disk)]),
);

/** `mkfs.ext4` and its kin are mkfs. */
export function diskRule(name: string): Rule | undefined {
  return /^(mkfs|newfs)[._]/.test(name) ? onDisk({ unless: /^-(n|N|V)$/ }) : undefined;
}

function onDisk({ when, unless, isNamed }: Disk): Rule {
  return ({ name, args, at, state }, scene) => {
    if (args.length === 0 || isOnlyAsking(args)) return undefined;
    if (when !== undefined ? !args.some((arg) => when.test(arg)) : args.some((arg) => unless?.test(arg)))
      return undefined;
    const paths = args.map((arg) => at(arg));
    if (isNamed !== true && areFilesOnly(paths, args, (path) => lossOf(scene, state, path))) return undefined;
    return `${name} would destroy what is on ${shown(args.at(-1) ?? "the disk")}`;
  };
}

/** An image file of the project or below /tmp is not a disk. */
function areFilesOnly(
  paths: readonly string[],
  args: readonly string[],
  loss: (path: string) => string | undefined,
): boolean {
  const images = paths.filter((_path, index) => /[./]/.test(args[index] ?? "") && !args[index]?.startsWith("-"));
  return images.length > 0 && firstOf(images, loss) === undefined;
}
