-- Something to do: sieve, queens, Fibonacci, sorting, a small parser.
local function sieve(n)
  local composite, primes = {}, {}
  for i = 2, n do
    if not composite[i] then primes[#primes + 1] = i for j = i * i, n, i do composite[j] = true end end
  end
  return primes
end
local primes = sieve(5000)
print(#primes, primes[#primes])
local function queens(n, row, cols, up, down)
  if row > n then return 1 end
  local found = 0
  for c = 1, n do
    if not (cols[c] or up[row + c] or down[row - c + n]) then
      cols[c], up[row + c], down[row - c + n] = true, true, true
      found = found + queens(n, row + 1, cols, up, down)
      cols[c], up[row + c], down[row - c + n] = nil, nil, nil
    end
  end
  return found
end
print(queens(6, 1, {}, {}, {}))
local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
print(fib(20))
local seed, list = 12345, {}
for i = 1, 500 do seed = (seed * 1103515245 + 12345) % 2147483648 list[i] = seed end
table.sort(list, function(x, y) return x > y end)
print(list[1], list[250], list[500])
local function parse(s)
  local at = 1
  local expr
  local function atom()
    local n = s:match("^%s*(%d+)", at)
    if n then at = select(2, s:find("^%s*%d+", at)) + 1 return tonumber(n) end
    at = select(2, assert(s:find("^%s*%(", at))) + 1
    local v = expr()
    at = select(2, assert(s:find("^%s*%)", at))) + 1
    return v
  end
  local function term()
    local v = atom()
    while true do
      local op = s:match("^%s*([*/])", at)
      if not op then return v end
      at = select(2, s:find("^%s*[*/]", at)) + 1
      local w = atom()
      v = op == "*" and v * w or v // w
    end
  end
  function expr()
    local v = term()
    while true do
      local op = s:match("^%s*([+-])", at)
      if not op then return v end
      at = select(2, s:find("^%s*[+-]", at)) + 1
      local w = term()
      v = op == "+" and v + w or v - w
    end
  end
  return expr()
end
print(parse("1 + 2 * (3 + 4) * 5 - 6 / 2"))
