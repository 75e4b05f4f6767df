-- Closures, coroutines, metatables, errors, goto, integers and floats, garbage.
local function counter() local n = 0 return function() n = n + 1 return n end end
local a, b = counter(), counter()
print(a(), a(), b())
local co = coroutine.wrap(function(x) for i = 1, 3 do x = coroutine.yield(x * i) end return "end" end)
print(co(1), co(2), co(3), co(4))
local Point = {}
Point.__index = Point
Point.__add = function(p, q) return setmetatable({ x = p.x + q.x }, Point) end
Point.__tostring = function(p) return "P" .. p.x end
Point.__eq = function(p, q) return p.x == q.x end
Point.__lt = function(p, q) return p.x < q.x end
Point.__len = function() return 7 end
Point.__call = function(_, y) return y * 2 end
Point.__close = function() print("closed") end
local p, q = setmetatable({ x = 1 }, Point), setmetatable({ x = 2 }, Point)
print(tostring(p + q), p == q, p < q, #p, p(21))
do local r <close> = setmetatable({}, Point) end
print(select(2, pcall(function() error({ code = 5 }) end)).code)
print(select(2, pcall(function() local t = nil; return t.x end)))
print(select(2, xpcall(function() return 1 + {} end, function(m) return "caught " .. m end)))
for i = 1, 5 do if i % 2 == 0 then goto continue end io.write(i, " ") ::continue:: end
print()
print(7 // 2, -7 // 2, 7 % -3, 7.5 // 2, 2 ^ 10, 1 // 0.0, 3 | 4, 5 ~ 1, ~0, 1 << 62, math.maxinteger + 1 == math.mininteger)
print(pcall(function() return 1 // 0 end))
print(math.type(1), math.type(1.0), math.type("1"), math.ult(1, -1), math.tointeger(3.0))
for _ = 1, 200 do local t = {} for i = 1, 100 do t[i] = { i } end end
collectgarbage()
print(collectgarbage("count") > 0, load("return 1 + 1")(), load("syntax error here"))
local weak = setmetatable({}, { __mode = "k" })
weak[{}] = 1
collectgarbage()
print(next(weak))
