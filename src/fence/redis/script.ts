/**
 * The script of a guarded Redis resource: every claim, read and write is one run of it.
 *
 * The server judges by the rules of guard.ts, in the step that changes the data. Only commands
 * that Redis has had since 6.0. Tokens and numbers are compared as Lua's numbers, which are
 * exact up to 2^53; they are written as they came, as text.
 *
 * What Redis does not have is a way back: a script that fails half-way leaves what it did. So
 * whatever may fail behind a change that was made is done on keys that were copied before
 * (`DUMP`), which are put back (`RESTORE`). The number of the write is taken last: by then
 * a server that is full refuses nothing any more, and what still fails is an unknown outcome.
 */

import { createHash } from "node:crypto";
import { longestResultBytes } from "../row.js";
import { windowSize } from "../sequence.js";

/** What a user's script is said to have failed with when its result cannot be kept. */
export const resultTooLarge = "RESULTTOOLARGE";

/**
 * The row is a hash: `v lineage watermark owner seq stamp server generation`, names for people,
 * and per number of the last 64 a field `n<seq mod 64>` and one that finds it by its operation,
 * `op:<opId>`. `stamp` counts what was changed under the row, `server` is who was asked to remember, and `generation`
 * is drawn whenever the watermark is set, so that it tells one row from any other.
 *
 * KEYS: row, remembered operations, their order, then the keys of the data.
 * ARGV: lineage, token, owner, then what the script needs.
 */
const who = `
-- Who remembers: this process of this server, in its present role. Another one may have forgotten.
local function remembers()
  local replication = redis.call('INFO', 'replication')
  if not string.find(replication, 'role:master', 1, true) then return end
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  local history = string.match(replication, 'master_replid:(%x+)')
  return string.sub(run, 1, 16) .. '-' .. string.sub(history or '', 1, 16)
end

local server = remembers()
if not server then return {'failed', 'READONLY this server is a replica'} end
`;

const rules = `${who}
local row, operations, order = KEYS[1], KEYS[2], KEYS[3]
local lineage, token, owner = ARGV[1], ARGV[2], ARGV[3]
local windowSize = ${windowSize}

local fields = redis.call('HMGET', row, 'v', 'lineage', 'watermark', 'owner', 'seq', 'stamp', 'server', 'generation')
local version, has = fields[1], fields[1] and true or false
if has and version ~= '1' then return {'unreadable'} end
if not has and redis.call('EXISTS', row) == 1 then return {'unreadable'} end
local watermark, seq = tonumber(fields[3] or 0), tonumber(fields[5] or 0)
-- What was read belongs to it: to one row, as one run of the server has it.
local stamp = has and (fields[8] or '') .. ' ' .. server .. ' ' .. (fields[6] or '0')

local function refusal()
  if not has then return end
  if fields[2] ~= lineage then return {'refused', 'FOREIGN_LINEAGE', fields[2]} end
  if tonumber(token) < watermark then return {'refused', 'STALE', fields[3], fields[4]} end
  if tonumber(token) == watermark and owner ~= fields[4] then return {'refused', 'CONFLICT', fields[3], fields[4]} end
end

local function refusalOfUse()
  local refused = refusal()
  if refused then return refused end
  if not has or tonumber(token) > watermark or fields[7] ~= server then return {'refused', 'CLAIM_MISSING'} end
end

-- A number as it is kept: \`seq returned bytes\`, then so many bytes of its operation's name, then the result.
local function packNumber(number, opId, returned, result)
  return number .. ' ' .. returned .. ' ' .. #opId .. '\\n' .. opId .. result
end

local function unpackNumber(text)
  if not text then return end
  local number, returned, bytes, from = string.match(text, '^(%d+) ([01]) (%d+)\\n()')
  local behind = from + tonumber(bytes)
  local opId, result = string.sub(text, from, behind - 1), string.sub(text, behind)
  return {seq = tonumber(number), opId = opId, returned = returned, result = result}
end

local function duplicate(bySeq, known)
  return {'duplicate', bySeq and '1' or '0', known.opId, known.returned, known.result}
end

-- What is known of a write: nothing when it is to be applied.
local function known(number, opId, isStrict, remembered)
  local slot = 'n' .. number % windowSize
  local found = redis.call('HMGET', row, slot, 'op:' .. opId)
  local same = unpackNumber(found[1])
  if same and same.seq == number and number > seq - windowSize then
    if same.opId ~= opId then return {'refused', 'SEQUENCE_REUSED'} end
    return duplicate(true, same)
  end
  local other = found[2] and unpackNumber(redis.call('HGET', row, found[2]))
  if other and other.seq > seq - windowSize then return duplicate(false, other) end
  if remembered > 0 then
    local told = redis.call('HGET', operations, opId)
    if told then return {'duplicate', '0', opId, string.sub(told, 1, 1), string.sub(told, 2)} end
  end
  if number <= seq - windowSize then return {'refused', 'ATTEMPT_TOO_OLD'} end
  if isStrict and number ~= seq + 1 then return {'refused', 'SEQUENCE_GAP', string.format('%.0f', seq + 1)} end
end

local function record(numberText, opId, remembered, returned, result)
  local number = tonumber(numberText)
  local slot = 'n' .. number % windowSize
  local before = unpackNumber(redis.call('HMGET', row, slot)[1])
  -- First, by commands that the claim has used as well: from here on the write is known.
  redis.call('HSET', row, slot, packNumber(numberText, opId, returned, result), 'op:' .. opId, slot)
  -- An operation that was forgotten and came again stands elsewhere by now, or here.
  if before and before.opId ~= opId and redis.call('HGET', row, 'op:' .. before.opId) == slot then
    redis.call('HDEL', row, 'op:' .. before.opId)
  end
  if number > seq then redis.call('HSET', row, 'seq', numberText) end
  redis.call('HINCRBY', row, 'stamp', 1)
  if remembered == 0 then return end
  redis.call('HSET', operations, opId, returned .. result)
  redis.call('RPUSH', order, opId)
  while redis.call('LLEN', order) > remembered do
    redis.call('HDEL', operations, redis.call('LPOP', order))
  end
end

-- What cannot be recorded was done all the same: whoever is told so sends the same number again.
local function take(...)
  local taken, why = pcall(record, ...)
  if not taken then return {'lost', type(why) == 'table' and why.err or tostring(why)} end
end

local function copyOf(keys)
  local copies = {}
  for at, key in ipairs(keys) do copies[at] = {redis.call('DUMP', key), redis.call('PTTL', key)} end
  return copies
end

local function putBack(keys, copies)
  for at, copy in ipairs(copies) do
    local key, payload, ttl = keys[at], copy[1], copy[2]
    if payload then redis.call('RESTORE', key, ttl > 0 and ttl or 0, payload, 'REPLACE')
    else redis.call('DEL', key) end
  end
end

-- The row of a watermark under which nothing was written yet. Its names are for people, \`holder\` is who remembers a claim.
local function begin(holder, generation, resource, namespace, election)
  if has then redis.call('DEL', row) end
  redis.call('HSET', row, 'v', '1', 'lineage', lineage, 'watermark', token, 'owner', owner, 'seq', '0', 'stamp', '0',
    'server', holder, 'generation', generation, 'resource', resource, 'namespace', namespace, 'election', election)
end

-- Does all of \`work\`, or nothing of it and says why.
local function whole(keys, mayLeaveParts, work)
  local copies = mayLeaveParts and copyOf(keys)
  local done, answer = pcall(work)
  if done then return end
  local why = type(answer) == 'table' and answer.err or tostring(answer)
  local undone, whyNot = pcall(putBack, keys, copies or {})
  if undone then return {'failed', why} end
  return {'lost', why .. '; and it could not be undone: ' .. (type(whyNot) == 'table' and whyNot.err or tostring(whyNot))}
end
`;

const claim = `
-- KEYS: then the rows of the resource, and all resources. ARGV: generation, resource, namespace, election, id of the row.
local refused = refusal()
if refused then return refused end
local memory = redis.call('INFO', 'memory')
local facts = {string.match(redis.call('INFO', 'replication'), 'connected_slaves:(%d+)') or '0',
  string.match(memory, 'maxmemory:(%d+)') or '0', string.match(memory, 'maxmemory_policy:([%w-]+)') or ''}
-- Whoever may not put back what it has copied could be left with half a write.
if has then redis.call('RESTORE', row, 0, redis.call('DUMP', row), 'REPLACE') end
if has and tonumber(token) == watermark then
  if fields[7] ~= server then redis.call('HSET', row, 'server', server) end
  return {'claimed', fields[5], fields[8], unpack(facts)}
end
redis.call('SADD', KEYS[4], ARGV[8])
redis.call('SADD', KEYS[5], ARGV[5])
begin(server, ARGV[4], ARGV[5], ARGV[6], ARGV[7])
return {'claimed', '0', ARGV[4], unpack(facts)}
`;

const read = `
-- The values of the data's keys, and the stamp that they belong to.
local refused = refusalOfUse()
if refused then return refused end
local values = {'read', stamp}
for at = 4, #KEYS do
  local value = redis.pcall('GET', KEYS[at])
  if type(value) == 'table' then return {'failed', value.err} end
  values[at - 1] = value
end
return values
`;

const numbered = `
-- ARGV: number, opId, order, how many operations are remembered.
local number, opId, remembered = ARGV[4], ARGV[5], tonumber(ARGV[7])
local refused = refusalOfUse() or known(tonumber(number), opId, ARGV[6] == 'strict', remembered)
if refused then return refused end
local keys = {}
for at = 4, #KEYS do keys[at - 3] = KEYS[at] end
`;

const look = `${numbered}
return {'fresh'}
`;

const write = `${numbered}
-- Then: the stamp that was read or '', whether something is returned, what, and per key 'set' or 'delete', value, ttl.
if ARGV[8] ~= '' and ARGV[8] ~= stamp then return {'moved'} end
local failure = whole(keys, #keys > 1, function()
  for at, key in ipairs(keys) do
    local what, value, ttl = ARGV[8 + at * 3], ARGV[9 + at * 3], ARGV[10 + at * 3]
    if what == 'delete' then redis.call('DEL', key)
    elseif ttl == '' then redis.call('SET', key, value)
    else redis.call('SET', key, value, 'PX', ttl) end
  end
end)
if failure then return failure end
return take(number, opId, remembered, ARGV[9], ARGV[10]) or {'applied'}
`;

/** What a script of a user's own is wrapped in. Its result is kept as JSON. */
const own = (text: string): string => `${numbered}
local function work(KEYS, ARGV)
${text}
end
local arguments = {}
for at = 8, #ARGV do arguments[at - 7] = ARGV[at] end
local returned, result = '0', ''
local failure = whole(keys, true, function()
  local value = work(keys, arguments)
  if value == nil then return end
  if type(value) == 'table' and value.err then error(value.err, 0) end
  -- As Redis answers them: a status is its text, false is nothing found.
  if type(value) == 'table' and value.ok then value = value.ok end
  returned, result = '1', value and cjson.encode(value) or 'null'
  if #result > ${longestResultBytes} then error('${resultTooLarge}', 0) end
end)
if failure then return failure end
return take(number, opId, remembered, returned, result) or {'applied', returned, result}
`;

export interface Script {
  readonly source: string;
  readonly sha: string;
}

const script = (source: string): Script => {
  return { source, sha: createHash("sha1").update(source).digest("hex") };
};

export const claimScript: Script = ruled(claim);
export const readScript: Script = ruled(read);
export const lookScript: Script = ruled(look);
export const writeScript: Script = ruled(write);

/** One that goes by the rules: they answer by themselves where there is nothing to decide. */
export function ruled(part: string): Script {
  return script(rules + part);
}

/** One that only has to be asked of a server that remembers. */
export function unruled(part: string): Script {
  return script(who + part);
}

/** `text`: the body of a function of \`KEYS\` and \`ARGV\`. */
export function ownScript(text: string): Script {
  return ruled(own(text));
}
