/**
 * The one script: every exchange with the server is one run of it, reads and writes alike.
 *
 * It judges in one atomic step, on the server, what must not be judged apart: whether this
 * is the primary, whose memory it has (the epoch), whether absence proves anything (the
 * marker), whether the value is the one that the caller expects, and, for records that ask
 * for it, their age by the server's clock. Only commands that Redis has had since 6.0.
 * Tokens never pass through Lua as numbers: a record is text here.
 */

import { createHash } from "node:crypto";

/**
 * KEYS: the marker, then one key per item.
 *
 * ARGV: run id of the connection's server ('' where nobody can know it), marker to make where
 * there is none, maxTtlMs, epoch that this process has watched for maxTtlMs ('' for none, any
 * other text to have the server looked at), largest size of a value, channel, 'r' or 'w', then
 * per item of a write: expected nonce and epoch ('' and '' for absent), absence, takeover,
 * record, outline, ttl of a store-clock record or 0, lifetime of a tombstone or 0, nonce, name,
 * 'holder' or 'other': who writes.
 *
 * Answers {epoch, server time in ms, marker or '', number of replicas, then per item a list}:
 * {value or false} for a read, {'written' | 'unproven' | 'failed' | 'conflict', value, error} for
 * a write. Renewals alone, of records that are as their holder knows them, are written without a
 * look at anything else, and answered with an empty epoch.
 */
export const source = `
local run, fresh, maxTtl, watchedByMe, limit, channel, mode = unpack(ARGV, 1, 7)

-- Its line of the value: epoch, stamp, ttl, outline, nonce.
local linePattern = '\\n(%S+) (%d+) (%d+) (%S+) (".*")$'

-- A holder's renewal: exactly its own record, with nothing new for anybody. It needs to know no more about the server.
local function renewal(key, at)
  if ARGV[at] == '' or ARGV[at + 3] ~= 'observed' or ARGV[at + 6] ~= '0' then return end
  local tail = redis.pcall('GETRANGE', key, -2048, -1)
  if type(tail) ~= 'string' then return end
  local since, _, _, outline, nonce = string.match(tail, linePattern)
  if nonce ~= ARGV[at] or outline ~= ARGV[at + 5] or ARGV[at + 7] ~= '0' then return end
  return since
end

local function renewAll()
  local written = {}
  local met = {}
  for item = 2, #KEYS do
    local key = KEYS[item]
    written[item] = not met[key] and renewal(key, 8 + (item - 2) * 11)
    if not written[item] then return end
    met[key] = true
  end
  local answers = {'', '0', '', '0'}
  for item = 2, #KEYS do
    local at = 8 + (item - 2) * 11
    local line = written[item] .. ' 0 0 ' .. ARGV[at + 5] .. ' ' .. ARGV[at + 8]
    local set = redis.pcall('SET', KEYS[item], ARGV[at + 4] .. '\\n' .. line)
    answers[item + 3] = set.err and {'failed', false, set.err} or {'written'}
  end
  return answers
end

if mode == 'w' and watchedByMe == '' then
  local answers = renewAll()
  if answers then return answers end
end

local replication = redis.call('INFO', 'replication')
if not string.find(replication, 'role:master', 1, true) then
  return redis.error_reply('NOTPRIMARY this server is a replica')
end
-- Finding a word and cutting behind it is many times faster than a pattern that may begin anywhere.
local function field(name, pattern)
  local _, last = string.find(replication, name, 1, true)
  return last and string.match(replication, pattern, last + 1) or ''
end
if run == '' then run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') end
local server = string.sub(run, 1, 16) .. '-' .. string.sub(field('master_replid:', '^%x+'), 1, 16)

local marker = redis.call('GET', KEYS[1])
if not marker and mode == 'w' then
  marker = fresh .. '\\n'
  redis.call('SET', KEYS[1], marker)
end
local text, watched = '', ''
if marker then
  text, watched = string.match(marker, '^([^\\n]*)\\n(.*)$')
  if not text or string.match(text, '"maxTtlMs":(%d+)[,}]') ~= maxTtl then
    return redis.error_reply('BADMARKER ' .. string.sub(marker, 1, 200))
  end
end
local generation = string.match(text, '"generation":"([%w-]+)"') or ''
local epoch = generation .. '.' .. server
if mode == 'w' and watchedByMe == epoch and watched ~= server then
  watched = server
  redis.call('SET', KEYS[1], text .. '\\n' .. server)
end
local remembers = watched == server

local time = redis.call('TIME')
local now = time[1] .. string.format('%03d', math.floor(tonumber(time[2]) / 1000))

local function load(key)
  local size = redis.pcall('STRLEN', key)
  if type(size) == 'table' then return '!another type' end
  if size > tonumber(limit) then return '!too large' end
  return redis.call('GET', key)
end

local function write(key, at)
  local expected, expectedEpoch, absence, takeover = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local record, outline, ttl, lifetime, nonce = ARGV[at + 4], ARGV[at + 5], ARGV[at + 6], ARGV[at + 7], ARGV[at + 8]
  local value = load(key)
  local before, under = '', epoch
  if expected == '' then
    if value then return {'conflict', value} end
    if absence == 'prove' and not remembers then return {'unproven'} end
  else
    if not value then return {'conflict', false} end
    local since, stamp, allowed, seen, name = string.match(value, linePattern)
    if not name then name = '#' .. redis.sha1hex(value) end
    if name ~= expected or epoch ~= expectedEpoch then return {'conflict', value} end
    if absence == 'prove' and since ~= epoch and not remembers then return {'unproven'} end
    -- A request or a bid says nothing about a lease that was forgotten since the holder wrote.
    if ARGV[at + 10] == 'other' then under = since or '-' end
    if takeover == 'store-clock' then
      local unjudged = not allowed or allowed == '0'
      if unjudged or tonumber(now) - tonumber(stamp) < tonumber(allowed) then return {'conflict', value} end
    end
    before = seen or ''
  end
  local line = under .. ' ' .. now .. ' ' .. ttl .. ' ' .. outline .. ' ' .. nonce
  local set
  if lifetime == '0' then set = redis.pcall('SET', key, record .. '\\n' .. line)
  else set = redis.pcall('SET', key, record .. '\\n' .. line, 'PX', lifetime) end
  if set.err then return {'failed', false, set.err} end
  if before ~= outline then redis.pcall('PUBLISH', channel, ARGV[at + 9]) end
  return {'written'}
end

local answers = {epoch, now, marker or '', field('connected_slaves:', '^%d+')}
for item = 2, #KEYS do
  local key = KEYS[item]
  if mode == 'w' then answers[item + 3] = write(key, 8 + (item - 2) * 11)
  else answers[item + 3] = {load(key)} end
end
return answers
`;

export const sha: string = createHash("sha1").update(source).digest("hex");
